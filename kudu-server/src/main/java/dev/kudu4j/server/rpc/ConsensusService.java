package dev.kudu4j.server.rpc;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.consensus.BulkChangeConfigRequestPB;
import dev.kudu4j.common.proto.consensus.ChangeConfigRequestPB;
import dev.kudu4j.common.proto.consensus.ConsensusStatePB;
import dev.kudu4j.common.proto.consensus.GetConsensusStateRequestPB;
import dev.kudu4j.common.proto.consensus.GetConsensusStateResponsePB;
import dev.kudu4j.common.proto.consensus.GetLastOpIdRequestPB;
import dev.kudu4j.common.proto.consensus.GetLastOpIdResponsePB;
import dev.kudu4j.common.proto.consensus.GetNodeInstanceRequestPB;
import dev.kudu4j.common.proto.consensus.GetNodeInstanceResponsePB;
import dev.kudu4j.common.proto.consensus.IncludeHealthReport;
import dev.kudu4j.common.proto.consensus.LeaderStepDownMode;
import dev.kudu4j.common.proto.consensus.LeaderStepDownRequestPB;
import dev.kudu4j.common.proto.consensus.LeaderStepDownResponsePB;
import dev.kudu4j.common.proto.consensus.OpId;
import dev.kudu4j.common.proto.consensus.OpIdType;
import dev.kudu4j.common.proto.consensus.ReplicaManagementInfoPB;
import dev.kudu4j.common.proto.consensus.RunLeaderElectionRequestPB;
import dev.kudu4j.common.proto.consensus.RunLeaderElectionResponsePB;
import dev.kudu4j.common.proto.consensus.StartTabletCopyRequestPB;
import dev.kudu4j.common.proto.consensus.StartTabletCopyResponsePB;
import dev.kudu4j.common.proto.consensus.UnsafeChangeConfigRequestPB;
import dev.kudu4j.common.rpc.Access;
import dev.kudu4j.common.rpc.RateLimitedLog;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.rpc.RpcService;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.replica.ReplicaDirectory;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.server.replica.members.ConsensusView;
import dev.kudu4j.tablet.log.LogPosition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Reports on the groups of a server's replicas, and changes their leaders and their members ({@link
 * MembershipCalls}).
 */
public final class ConsensusService {
  private static final String NAME = "kudu.consensus.ConsensusService";

  private final RateLimitedLog limited =
      new RateLimitedLog(LoggerFactory.getLogger(ConsensusService.class));
  private final ServerIdentity identity;
  private final ReplicaDirectory replicas;
  private final PeerAddresses addresses;
  private final TabletCopyTarget copies;
  private final CalledReplicas called;
  private final MembershipCalls membership;
  private final boolean evictFirst;

  public ConsensusService(
      ServerIdentity identity,
      ReplicaDirectory replicas,
      PeerAddresses addresses,
      TabletCopyTarget copies,
      boolean evictFirst) {
    this.called = new CalledReplicas(identity, replicas);
    this.membership = new MembershipCalls(called);
    this.evictFirst = evictFirst;
    this.identity = identity;
    this.replicas = replicas;
    this.addresses = addresses;
    this.copies = copies;
  }

  public RpcService service() {
    return RpcService.builder(NAME)
        .method(
            "GetConsensusState",
            Access.SUPERUSER_OR_SERVICE,
            GetConsensusStateRequestPB.parser(),
            (rq, call) -> call.respond(consensusState(rq)))
        .method(
            "GetLastOpId",
            Access.SUPERUSER_OR_SERVICE,
            GetLastOpIdRequestPB.parser(),
            (rq, call) -> call.respond(lastOpId(rq)))
        .method(
            "GetNodeInstance",
            Access.SUPERUSER_OR_SERVICE,
            GetNodeInstanceRequestPB.parser(),
            (rq, call) ->
                call.respond(
                    GetNodeInstanceResponsePB.newBuilder()
                        .setNodeInstance(identity.nodeInstance())
                        .build()))
        .method(
            "ChangeConfig",
            Access.SUPERUSER_OR_SERVICE,
            ChangeConfigRequestPB.parser(),
            membership::change)
        .method(
            "BulkChangeConfig",
            Access.SUPERUSER_OR_SERVICE,
            BulkChangeConfigRequestPB.parser(),
            membership::changeSeveral)
        .method(
            "UnsafeChangeConfig",
            Access.SUPERUSER_OR_SERVICE,
            UnsafeChangeConfigRequestPB.parser(),
            membership::force)
        .method(
            "LeaderStepDown",
            Access.SUPERUSER_OR_SERVICE,
            LeaderStepDownRequestPB.parser(),
            this::leaderStepDown)
        .method(
            "RunLeaderElection",
            Access.SUPERUSER_OR_SERVICE,
            RunLeaderElectionRequestPB.parser(),
            this::runLeaderElection)
        .method(
            "StartTabletCopy",
            Access.SUPERUSER_OR_SERVICE,
            StartTabletCopyRequestPB.parser(),
            this::startTabletCopy)
        .build();
  }

  private void startTabletCopy(StartTabletCopyRequestPB request, RpcCall call) {
    if (request.hasDestUuid() && !isMe(request.getDestUuid())) {
      call.respond(
          StartTabletCopyResponsePB.newBuilder()
              .setError(called.wrongServer(request.getDestUuid()).error())
              .build());
    } else {
      copies.startTabletCopy(request, call);
    }
  }

  private GetConsensusStateResponsePB consensusState(GetConsensusStateRequestPB request) {
    GetConsensusStateResponsePB.Builder response = GetConsensusStateResponsePB.newBuilder();
    if (request.hasDestUuid() && !isMe(request.getDestUuid())) {
      return response.setError(called.wrongServer(request.getDestUuid()).error()).build();
    }
    response.setReplicaManagementInfo(
        ReplicaManagementInfoPB.newBuilder()
            .setReplacementScheme(
                evictFirst
                    ? ReplicaManagementInfoPB.ReplacementScheme.EVICT_FIRST
                    : ReplicaManagementInfoPB.ReplacementScheme
                        .PREPARE_REPLACEMENT_BEFORE_EVICTION));
    boolean health = request.getReportHealth() == IncludeHealthReport.INCLUDE_HEALTH_REPORT;
    for (TabletReplica replica : requestedReplicas(request)) {
      if (replica.lifeCycleState() == TabletReplica.State.RUNNING) {
        describe(replica, health).ifPresent(response::addTablets);
      }
    }
    return response.build();
  }

  /** Describes a replica's group. A replica whose group cannot be described is omitted. */
  private Optional<GetConsensusStateResponsePB.TabletConsensusInfoPB> describe(
      TabletReplica replica, boolean health) {
    try {
      return Optional.of(
          GetConsensusStateResponsePB.TabletConsensusInfoPB.newBuilder()
              .setTabletId(ByteString.copyFromUtf8(replica.tabletId()))
              .setCstate(toWire(replica.consensus(), health))
              .build());
    } catch (RuntimeException e) {
      limited.warn("Cannot describe the group of tablet {}", replica.tabletId(), e);
      return Optional.empty();
    }
  }

  private Collection<TabletReplica> requestedReplicas(GetConsensusStateRequestPB request) {
    if (request.getTabletIdsCount() == 0) {
      return replicas.all();
    }
    List<TabletReplica> wanted = new ArrayList<>();
    for (ByteString id : request.getTabletIdsList()) {
      replicas.find(id.toStringUtf8()).ifPresent(wanted::add);
    }
    return wanted;
  }

  private ConsensusStatePB toWire(ConsensusView view, boolean health) {
    return ConsensusWire.toWire(view, health, this::rpcAddress);
  }

  private Optional<HostPort> rpcAddress(ConsensusView.Member member) {
    if (member.serverUuid().equals(identity.uuid())) {
      return Optional.of(identity.rpcAddresses().get(0));
    }
    addresses.addFromConfiguration(member.serverUuid(), member.rpcAddress());
    return addresses.find(member.serverUuid());
  }

  private GetLastOpIdResponsePB lastOpId(GetLastOpIdRequestPB request) {
    try {
      TabletReplica replica =
          called.running(request.hasDestUuid(), request.getDestUuid(), request.getTabletId());
      LogPosition position =
          request.getOpidType() == OpIdType.COMMITTED_OPID
              ? replica.lastCommitted()
              : replica.lastLogged();
      return GetLastOpIdResponsePB.newBuilder()
          .setOpid(OpId.newBuilder().setTerm(position.term()).setIndex(position.index()))
          .build();
    } catch (CallRefusal e) {
      return GetLastOpIdResponsePB.newBuilder().setError(e.error()).build();
    }
  }

  private void leaderStepDown(LeaderStepDownRequestPB request, RpcCall call) {
    try {
      TabletReplica replica =
          called.running(request.hasDestUuid(), request.getDestUuid(), request.getTabletId());
      stepDown(request, replica)
          .whenComplete((done, failure) -> call.respond(steppedDown(failure)));
    } catch (CallRefusal e) {
      call.respond(LeaderStepDownResponsePB.newBuilder().setError(e.error()).build());
    }
  }

  private static CompletableFuture<Void> stepDown(
      LeaderStepDownRequestPB request, TabletReplica replica) {
    if (request.getMode() == LeaderStepDownMode.GRACEFUL) {
      return replica.transferLeadership(
          Optional.of(request.getNewLeaderUuid().toStringUtf8()).filter(uuid -> !uuid.isEmpty()));
    }
    if (request.hasNewLeaderUuid()) {
      return CompletableFuture.failedFuture(
          KuduException.invalidArgument(
              "A new leader can be specified only for a graceful step-down, not an abrupt one"));
    }
    return replica.stepDown();
  }

  private static LeaderStepDownResponsePB steppedDown(@Nullable Throwable failure) {
    return failure == null
        ? LeaderStepDownResponsePB.getDefaultInstance()
        : LeaderStepDownResponsePB.newBuilder().setError(CallRefusal.error(failure)).build();
  }

  private void runLeaderElection(RunLeaderElectionRequestPB request, RpcCall call) {
    try {
      TabletReplica replica =
          called.running(request.hasDestUuid(), request.getDestUuid(), request.getTabletId());
      if (!replica.runElection()) {
        throw KuduException.serviceUnavailable(
            "Tablet %s is already electing a leader; try again", replica.tabletId());
      }
      call.respond(RunLeaderElectionResponsePB.getDefaultInstance());
    } catch (CallRefusal e) {
      call.respond(RunLeaderElectionResponsePB.newBuilder().setError(e.error()).build());
    } catch (IOException | KuduException e) {
      call.respond(RunLeaderElectionResponsePB.newBuilder().setError(CallRefusal.error(e)).build());
    }
  }

  private boolean isMe(ByteString uuid) {
    return called.isMe(uuid);
  }
}
