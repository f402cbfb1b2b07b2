package dev.kudu4j.server.rpc;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.id.HexId;
import dev.kudu4j.common.id.UntrustedText;
import dev.kudu4j.common.proto.consensus.BulkChangeConfigRequestPB;
import dev.kudu4j.common.proto.consensus.ChangeConfigRequestPB;
import dev.kudu4j.common.proto.consensus.ChangeConfigResponsePB;
import dev.kudu4j.common.proto.consensus.ChangeConfigType;
import dev.kudu4j.common.proto.consensus.RaftPeerAttrsPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.consensus.UnsafeChangeConfigRequestPB;
import dev.kudu4j.common.proto.consensus.UnsafeChangeConfigResponsePB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.server.logging.LogMarkers;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.server.replica.members.MemberChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles the calls of masters and operators that change the members of a group. */
final class MembershipCalls {
  private static final Logger LOG = LoggerFactory.getLogger(MembershipCalls.class);

  private final CalledReplicas replicas;

  MembershipCalls(CalledReplicas replicas) {
    this.replicas = replicas;
  }

  void change(ChangeConfigRequestPB request, RpcCall call) {
    try {
      TabletReplica replica =
          replicas.running(request.hasDestUuid(), request.getDestUuid(), request.getTabletId());
      change(
          replica,
          List.of(change(request.getType(), request.getServer())),
          index(request.hasCasConfigOpidIndex(), request.getCasConfigOpidIndex()),
          call);
    } catch (CallRefusal e) {
      call.respond(changed(e));
    }
  }

  void changeSeveral(BulkChangeConfigRequestPB request, RpcCall call) {
    try {
      TabletReplica replica =
          replicas.running(request.hasDestUuid(), request.getDestUuid(), request.getTabletId());
      List<MemberChange> changes = new ArrayList<>();
      for (BulkChangeConfigRequestPB.ConfigChangeItemPB item : request.getConfigChangesList()) {
        changes.add(change(item.getType(), item.getPeer()));
      }
      change(
          replica,
          changes,
          index(request.hasCasConfigOpidIndex(), request.getCasConfigOpidIndex()),
          call);
    } catch (CallRefusal e) {
      call.respond(changed(e));
    }
  }

  private static void change(
      TabletReplica replica, List<MemberChange> changes, OptionalLong casIndex, RpcCall call) {
    LOG.info(
        LogMarkers.ON_DEMAND,
        "{}: {} requests a change of members: {}",
        replica.prefix(),
        call.caller().describe(),
        changes);
    replica
        .changeMembers(changes, casIndex)
        .whenComplete((done, failure) -> call.respond(changed(failure)));
  }

  private static ChangeConfigResponsePB changed(@Nullable Throwable failure) {
    return failure == null
        ? ChangeConfigResponsePB.getDefaultInstance()
        : ChangeConfigResponsePB.newBuilder().setError(CallRefusal.error(failure)).build();
  }

  private static OptionalLong index(boolean given, long index) {
    return given ? OptionalLong.of(index) : OptionalLong.empty();
  }

  private static MemberChange change(ChangeConfigType type, RaftPeerPB peer) throws CallRefusal {
    if (!peer.hasPermanentUuid()) {
      throw invalid("A change of members must contain a server's uuid");
    }
    String uuid = uuid(peer.getPermanentUuid());
    return switch (type) {
      case ADD_PEER -> add(uuid, peer);
      case REMOVE_PEER -> new MemberChange.Remove(uuid);
      case MODIFY_PEER -> modify(uuid, peer);
      case UNKNOWN_CHANGE -> throw invalid("A change of members must have a known type");
    };
  }

  private static String uuid(ByteString uuid) throws CallRefusal {
    if (!HexId.isValid(uuid)) {
      throw invalid("Invalid uuid of a group's member: " + UntrustedText.format(uuid));
    }
    return uuid.toStringUtf8();
  }

  /**
   * A new voter is added as a learner, and promoted when it has copied the tablet and caught up.
   */
  private static MemberChange add(String uuid, RaftPeerPB peer) throws CallRefusal {
    if (!peer.hasMemberType()) {
      throw invalid("Server " + uuid + " cannot be added: the member type is missing");
    }
    boolean voter = peer.getMemberType() == RaftPeerPB.MemberType.VOTER;
    String address;
    try {
      address = PeerWire.rpcAddress(peer);
    } catch (KuduException e) {
      throw invalid(String.valueOf(e.getMessage()));
    }
    RaftPeerAttrsPB marks = peer.getAttrs();
    return new MemberChange.Add(uuid, address, voter || marks.getPromote(), marks.getReplace());
  }

  private static MemberChange modify(String uuid, RaftPeerPB peer) {
    RaftPeerAttrsPB marks = peer.getAttrs();
    return new MemberChange.Modify(
        uuid,
        peer.hasMemberType()
            ? Optional.of(peer.getMemberType() == RaftPeerPB.MemberType.VOTER)
            : Optional.empty(),
        marks.hasPromote() ? Optional.of(marks.getPromote()) : Optional.empty(),
        marks.hasReplace() ? Optional.of(marks.getReplace()) : Optional.empty());
  }

  private static CallRefusal invalid(String message) {
    return new CallRefusal(
        TabletServerErrorPB.Code.INVALID_CONFIG, StatusCode.INVALID_ARGUMENT, message);
  }

  void force(UnsafeChangeConfigRequestPB request, RpcCall call) {
    try {
      TabletReplica replica =
          replicas.running(request.hasDestUuid(), request.getDestUuid(), request.getTabletId());
      List<String> servers = new ArrayList<>();
      for (RaftPeerPB peer : request.getNewConfig().getPeersList()) {
        servers.add(uuid(peer.getPermanentUuid()));
      }
      LOG.info(
          LogMarkers.ON_DEMAND,
          "{}: {} forces the members {}",
          replica.prefix(),
          call.caller().describe(),
          servers);
      replica.forceMembers(servers).whenComplete((done, failure) -> call.respond(forced(failure)));
    } catch (CallRefusal e) {
      call.respond(forced(e));
    }
  }

  private static UnsafeChangeConfigResponsePB forced(@Nullable Throwable failure) {
    return failure == null
        ? UnsafeChangeConfigResponsePB.getDefaultInstance()
        : UnsafeChangeConfigResponsePB.newBuilder().setError(CallRefusal.error(failure)).build();
  }
}
