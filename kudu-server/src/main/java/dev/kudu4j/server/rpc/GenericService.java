package dev.kudu4j.server.rpc;

import dev.kudu4j.common.proto.common.MemTrackerPB;
import dev.kudu4j.common.proto.server.CheckLeaksRequestPB;
import dev.kudu4j.common.proto.server.CheckLeaksResponsePB;
import dev.kudu4j.common.proto.server.DumpMemTrackersRequestPB;
import dev.kudu4j.common.proto.server.DumpMemTrackersResponsePB;
import dev.kudu4j.common.proto.server.FlushCoverageRequestPB;
import dev.kudu4j.common.proto.server.FlushCoverageResponsePB;
import dev.kudu4j.common.proto.server.GetFlagsRequestPB;
import dev.kudu4j.common.proto.server.GetFlagsResponsePB;
import dev.kudu4j.common.proto.server.GetStatusRequestPB;
import dev.kudu4j.common.proto.server.GetStatusResponsePB;
import dev.kudu4j.common.proto.server.ServerClockRequestPB;
import dev.kudu4j.common.proto.server.ServerClockResponsePB;
import dev.kudu4j.common.proto.server.ServerStatusPB;
import dev.kudu4j.common.proto.server.SetFlagRequestPB;
import dev.kudu4j.common.proto.server.SetFlagResponsePB;
import dev.kudu4j.common.rpc.Access;
import dev.kudu4j.common.rpc.RpcService;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.server.flags.Flags;
import dev.kudu4j.server.flags.Option;
import dev.kudu4j.server.flags.Tag;
import dev.kudu4j.server.memory.MemoryTracker;
import dev.kudu4j.server.memory.ServerMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Handles the calls about the server itself: identity, flags, clock, memory. */
public final class GenericService {
  private static final String NAME = "kudu.server.GenericService";

  private final ServerIdentity identity;
  private final Flags flags;
  private final HybridClock clock;
  private final ServerMemory memory;

  public GenericService(
      ServerIdentity identity, Flags flags, HybridClock clock, ServerMemory memory) {
    this.identity = identity;
    this.flags = flags;
    this.clock = clock;
    this.memory = memory;
  }

  public RpcService service() {
    return RpcService.builder(NAME)
        .method(
            "GetStatus",
            Access.CLIENT_OR_SERVICE,
            GetStatusRequestPB.parser(),
            (rq, call) -> call.respond(status()))
        .method(
            "GetFlags",
            Access.SUPERUSER,
            GetFlagsRequestPB.parser(),
            (rq, call) -> call.respond(flags(rq)))
        .method(
            "SetFlag",
            Access.SUPERUSER,
            SetFlagRequestPB.parser(),
            (rq, call) -> call.respond(setFlag(rq)))
        .method(
            "ServerClock",
            Access.CLIENT,
            ServerClockRequestPB.parser(),
            (rq, call) -> call.respond(clock()))
        .method(
            "DumpMemTrackers",
            Access.SUPERUSER,
            DumpMemTrackersRequestPB.parser(),
            (rq, call) -> call.respond(memTrackers()))
        .method(
            "FlushCoverage",
            Access.SUPERUSER,
            FlushCoverageRequestPB.parser(),
            (rq, call) ->
                call.respond(FlushCoverageResponsePB.newBuilder().setSuccess(false).build()))
        .method(
            "CheckLeaks",
            Access.SUPERUSER,
            CheckLeaksRequestPB.parser(),
            (rq, call) -> call.respond(CheckLeaksResponsePB.newBuilder().setSuccess(false).build()))
        .build();
  }

  private GetStatusResponsePB status() {
    ServerStatusPB.Builder status =
        ServerStatusPB.newBuilder()
            .setNodeInstance(identity.nodeInstance())
            .setVersionInfo(identity.versionInfo())
            .setRaftAddress(ServerIdentity.toWire(identity.raft()));
    identity
        .rpcAddresses()
        .forEach(address -> status.addBoundRpcAddresses(ServerIdentity.toWire(address)));
    identity
        .httpAddresses()
        .get()
        .forEach(address -> status.addBoundHttpAddresses(ServerIdentity.toWire(address)));
    return GetStatusResponsePB.newBuilder().setStatus(status).build();
  }

  private GetFlagsResponsePB flags(GetFlagsRequestPB request) {
    Set<String> names =
        request.getFlagsList().stream()
            .map(name -> name.replace('-', '_'))
            .collect(Collectors.toSet());
    Set<String> tags = Set.copyOf(request.getTagsList());
    GetFlagsResponsePB.Builder response = GetFlagsResponsePB.newBuilder();
    for (Option<?> option : flags.options().all()) {
      boolean wanted =
          names.isEmpty()
              ? request.getAllFlags() || !flags.isDefault(option)
              : names.contains(option.name());
      List<String> optionTags = option.tags().stream().map(Tag::display).sorted().toList();
      if (wanted && (tags.isEmpty() || optionTags.stream().anyMatch(tags::contains))) {
        response.addFlags(
            GetFlagsResponsePB.Flag.newBuilder()
                .setName(option.name())
                .setValue(flags.text(option))
                .addAllTags(optionTags)
                .setIsDefaultValue(flags.isDefault(option)));
      }
    }
    return response.build();
  }

  private SetFlagResponsePB setFlag(SetFlagRequestPB request) {
    try {
      String before = flags.change(request.getFlag(), request.getValue(), request.getForce());
      return SetFlagResponsePB.newBuilder()
          .setResult(SetFlagResponsePB.Code.SUCCESS)
          .setMsg("--" + request.getFlag() + " is now " + request.getValue())
          .setOldValue(before)
          .build();
    } catch (KuduException e) {
      SetFlagResponsePB.Code code =
          switch (e.code()) {
            case NOT_FOUND -> SetFlagResponsePB.Code.NO_SUCH_FLAG;
            case ILLEGAL_STATE -> SetFlagResponsePB.Code.NOT_SAFE;
            default -> SetFlagResponsePB.Code.BAD_VALUE;
          };
      return SetFlagResponsePB.newBuilder().setResult(code).setMsg(e.getMessage()).build();
    }
  }

  private ServerClockResponsePB clock() {
    return ServerClockResponsePB.newBuilder().setTimestamp(clock.now()).build();
  }

  private DumpMemTrackersResponsePB memTrackers() {
    List<MemoryTracker> all = memory.trackers();
    return DumpMemTrackersResponsePB.newBuilder().setRootTracker(tree(all.get(0), all)).build();
  }

  private static MemTrackerPB tree(MemoryTracker tracker, List<MemoryTracker> all) {
    List<MemTrackerPB> children = new ArrayList<>();
    for (MemoryTracker other : all) {
      if (other.parent().equals(tracker.name())) {
        children.add(tree(other, all));
      }
    }
    return MemTrackerPB.newBuilder()
        .setId(tracker.name())
        .setParentId(tracker.parent())
        .setLimit(tracker.limitBytes())
        .setCurrentConsumption(tracker.usedBytes())
        .setPeakConsumption(tracker.peakBytes())
        .addAllChildTrackers(children)
        .build();
  }
}
