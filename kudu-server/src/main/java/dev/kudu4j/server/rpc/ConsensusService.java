package dev.kudu4j.server.rpc;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.consensus.BulkChangeConfigRequestPB;
import dev.kudu4j.common.proto.consensus.ChangeConfigRequestPB;
import dev.kudu4j.common.proto.consensus.ChangeConfigResponsePB;
import dev.kudu4j.common.proto.consensus.ConsensusStatePB;
import dev.kudu4j.common.proto.consensus.GetConsensusStateRequestPB;
import dev.kudu4j.common.proto.consensus.GetConsensusStateResponsePB;
import dev.kudu4j.common.proto.consensus.GetLastOpIdRequestPB;
import dev.kudu4j.common.proto.consensus.GetLastOpIdResponsePB;
import dev.kudu4j.common.proto.consensus.GetNodeInstanceRequestPB;
import dev.kudu4j.common.proto.consensus.GetNodeInstanceResponsePB;
import dev.kudu4j.common.proto.consensus.LeaderStepDownMode;
import dev.kudu4j.common.proto.consensus.LeaderStepDownRequestPB;
import dev.kudu4j.common.proto.consensus.LeaderStepDownResponsePB;
import dev.kudu4j.common.proto.consensus.OpId;
import dev.kudu4j.common.proto.consensus.OpIdType;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.consensus.ReplicaManagementInfoPB;
import dev.kudu4j.common.proto.consensus.RunLeaderElectionRequestPB;
import dev.kudu4j.common.proto.consensus.RunLeaderElectionResponsePB;
import dev.kudu4j.common.proto.consensus.StartTabletCopyRequestPB;
import dev.kudu4j.common.proto.consensus.StartTabletCopyResponsePB;
import dev.kudu4j.common.proto.consensus.UnsafeChangeConfigRequestPB;
import dev.kudu4j.common.proto.consensus.UnsafeChangeConfigResponsePB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.rpc.RpcService;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.StatusWire;
import dev.kudu4j.server.replica.ConsensusView;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.tablet.log.LogPosition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * What a server tells about the groups of its replicas, and how their leaders are changed. Changing
 * their members comes later.
 */
public final class ConsensusService {
  private static final String NAME = "kudu.consensus.ConsensusService";

  private final ServerIdentity identity;
  private final ReplicaDirectory replicas;
  private final PeerAddresses addresses;
  private final TabletCopyTarget copies;

  public ConsensusService(
      ServerIdentity identity,
      ReplicaDirectory replicas,
      PeerAddresses addresses,
      TabletCopyTarget copies) {
    this.identity = identity;
    this.replicas = replicas;
    this.addresses = addresses;
    this.copies = copies;
  }

  public RpcService service() {
    return RpcService.builder(NAME)
        .method(
            "GetConsensusState",
            GetConsensusStateRequestPB.parser(),
            (rq, call) -> call.respond(consensusState(rq)))
        .method(
            "GetLastOpId", GetLastOpIdRequestPB.parser(), (rq, call) -> call.respond(lastOpId(rq)))
        .method(
            "GetNodeInstance",
            GetNodeInstanceRequestPB.parser(),
            (rq, call) ->
                call.respond(
                    GetNodeInstanceResponsePB.newBuilder()
                        .setNodeInstance(identity.nodeInstance())
                        .build()))
        .method(
            "ChangeConfig",
            ChangeConfigRequestPB.parser(),
            (rq, call) ->
                call.respond(
                    ChangeConfigResponsePB.newBuilder()
                        .setError(notSupported("ChangeConfig"))
                        .build()))
        .method(
            "BulkChangeConfig",
            BulkChangeConfigRequestPB.parser(),
            (rq, call) ->
                call.respond(
                    ChangeConfigResponsePB.newBuilder()
                        .setError(notSupported("BulkChangeConfig"))
                        .build()))
        .method(
            "UnsafeChangeConfig",
            UnsafeChangeConfigRequestPB.parser(),
            (rq, call) ->
                call.respond(
                    UnsafeChangeConfigResponsePB.newBuilder()
                        .setError(notSupported("UnsafeChangeConfig"))
                        .build()))
        .method("LeaderStepDown", LeaderStepDownRequestPB.parser(), this::leaderStepDown)
        .method("RunLeaderElection", RunLeaderElectionRequestPB.parser(), this::runLeaderElection)
        .method("StartTabletCopy", StartTabletCopyRequestPB.parser(), this::startTabletCopy)
        .build();
  }

  private void startTabletCopy(StartTabletCopyRequestPB request, RpcCall call) {
    if (request.hasDestUuid() && !isMe(request.getDestUuid())) {
      call.respond(
          StartTabletCopyResponsePB.newBuilder()
              .setError(wrongServer(request.getDestUuid()))
              .build());
    } else {
      copies.startTabletCopy(request, call);
    }
  }

  private GetConsensusStateResponsePB consensusState(GetConsensusStateRequestPB request) {
    GetConsensusStateResponsePB.Builder response = GetConsensusStateResponsePB.newBuilder();
    if (request.hasDestUuid() && !isMe(request.getDestUuid())) {
      return response.setError(wrongServer(request.getDestUuid())).build();
    }
    response.setReplicaManagementInfo(
        ReplicaManagementInfoPB.newBuilder()
            .setReplacementScheme(
                ReplicaManagementInfoPB.ReplacementScheme.PREPARE_REPLACEMENT_BEFORE_EVICTION));
    for (TabletReplica replica : wanted(request)) {
      if (replica.lifeCycleState() == TabletReplica.State.RUNNING) {
        response.addTablets(
            GetConsensusStateResponsePB.TabletConsensusInfoPB.newBuilder()
                .setTabletId(ByteString.copyFromUtf8(replica.tabletId()))
                .setCstate(toWire(replica.consensus())));
      }
    }
    return response.build();
  }

  private Collection<TabletReplica> wanted(GetConsensusStateRequestPB request) {
    if (request.getTabletIdsCount() == 0) {
      return replicas.all();
    }
    List<TabletReplica> wanted = new ArrayList<>();
    for (ByteString id : request.getTabletIdsList()) {
      replicas.find(id.toStringUtf8()).ifPresent(wanted::add);
    }
    return wanted;
  }

  /** A replica's view of its group in the protocol's form. */
  public ConsensusStatePB toWire(ConsensusView view) {
    RaftConfigPB.Builder configuration =
        RaftConfigPB.newBuilder().setOpidIndex(view.configurationIndex());
    for (ConsensusView.Member member : view.members()) {
      RaftPeerPB.Builder peer =
          RaftPeerPB.newBuilder()
              .setPermanentUuid(ByteString.copyFromUtf8(member.serverUuid()))
              .setMemberType(
                  member.voter() ? RaftPeerPB.MemberType.VOTER : RaftPeerPB.MemberType.NON_VOTER);
      if (member.serverUuid().equals(identity.uuid())) {
        peer.setLastKnownAddr(ServerIdentity.toWire(identity.rpcAddresses().get(0)));
      } else {
        addresses.recorded(member.serverUuid(), member.rpcAddress());
        addresses
            .find(member.serverUuid())
            .ifPresent(address -> peer.setLastKnownAddr(ServerIdentity.toWire(address)));
      }
      configuration.addPeers(peer);
    }
    return ConsensusStatePB.newBuilder()
        .setCurrentTerm(view.term())
        .setLeaderUuid(view.leaderUuid())
        .setCommittedConfig(configuration)
        .build();
  }

  private GetLastOpIdResponsePB lastOpId(GetLastOpIdRequestPB request) {
    try {
      TabletReplica replica =
          running(request.hasDestUuid(), request.getDestUuid(), request.getTabletId());
      LogPosition position =
          request.getOpidType() == OpIdType.COMMITTED_OPID
              ? replica.lastCommitted()
              : replica.lastLogged();
      return GetLastOpIdResponsePB.newBuilder()
          .setOpid(OpId.newBuilder().setTerm(position.term()).setIndex(position.index()))
          .build();
    } catch (Refusal e) {
      return GetLastOpIdResponsePB.newBuilder().setError(e.error).build();
    }
  }

  private void leaderStepDown(LeaderStepDownRequestPB request, RpcCall call) {
    try {
      TabletReplica replica =
          running(request.hasDestUuid(), request.getDestUuid(), request.getTabletId());
      stepDown(request, replica)
          .whenComplete((done, failure) -> call.respond(steppedDown(failure)));
    } catch (Refusal e) {
      call.respond(LeaderStepDownResponsePB.newBuilder().setError(e.error).build());
    }
  }

  private static CompletableFuture<Void> stepDown(
      LeaderStepDownRequestPB request, TabletReplica replica) {
    if (request.getMode() == LeaderStepDownMode.GRACEFUL) {
      return replica.handOver(
          Optional.of(request.getNewLeaderUuid().toStringUtf8()).filter(uuid -> !uuid.isEmpty()));
    }
    if (request.hasNewLeaderUuid()) {
      return CompletableFuture.failedFuture(
          KuduException.invalidArgument(
              "A new leader can only be named for a graceful step-down, not an abrupt one"));
    }
    return replica.stepDown();
  }

  private static LeaderStepDownResponsePB steppedDown(Throwable failure) {
    return failure == null
        ? LeaderStepDownResponsePB.getDefaultInstance()
        : LeaderStepDownResponsePB.newBuilder().setError(error(failure)).build();
  }

  private void runLeaderElection(RunLeaderElectionRequestPB request, RpcCall call) {
    try {
      TabletReplica replica =
          running(request.hasDestUuid(), request.getDestUuid(), request.getTabletId());
      if (!replica.runElection()) {
        throw KuduException.serviceUnavailable(
            "Tablet %s is being elected a leader already; try again", replica.tabletId());
      }
      call.respond(RunLeaderElectionResponsePB.getDefaultInstance());
    } catch (Refusal e) {
      call.respond(RunLeaderElectionResponsePB.newBuilder().setError(e.error).build());
    } catch (IOException | KuduException e) {
      call.respond(RunLeaderElectionResponsePB.newBuilder().setError(error(e)).build());
    }
  }

  /** A call that concerns no replica here that runs. */
  private static final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient TabletServerErrorPB error;

    Refusal(TabletServerErrorPB error) {
      super(error.getStatus().getMessage(), null, false, false);
      this.error = error;
    }
  }

  private TabletReplica running(boolean toSomebody, ByteString destination, ByteString tablet)
      throws Refusal {
    if (toSomebody && !isMe(destination)) {
      throw new Refusal(wrongServer(destination));
    }
    String tabletId = tablet.toStringUtf8();
    Optional<TabletReplica> replica = replicas.find(tabletId);
    if (replica.isEmpty()) {
      throw new Refusal(
          error(
              TabletServerErrorPB.Code.TABLET_NOT_FOUND,
              StatusCode.NOT_FOUND,
              "Tablet " + tabletId + " has no replica here"));
    }
    if (replica.get().lifeCycleState() != TabletReplica.State.RUNNING) {
      throw new Refusal(
          error(
              TabletServerErrorPB.Code.TABLET_NOT_RUNNING,
              StatusCode.SERVICE_UNAVAILABLE,
              "The replica of tablet " + tabletId + " is " + replica.get().lifeCycleState()));
    }
    return replica.get();
  }

  private boolean isMe(ByteString uuid) {
    return uuid.toStringUtf8().equals(identity.uuid());
  }

  private TabletServerErrorPB wrongServer(ByteString wanted) {
    return error(
        TabletServerErrorPB.Code.WRONG_SERVER_UUID,
        StatusCode.INVALID_ARGUMENT,
        "The call is meant for server "
            + wanted.toStringUtf8()
            + ", but this is "
            + identity.uuid());
  }

  private static TabletServerErrorPB notSupported(String method) {
    return error(
        TabletServerErrorPB.Code.UNKNOWN_ERROR,
        StatusCode.NOT_SUPPORTED,
        method + " is not supported by this release: the members of a group cannot be changed");
  }

  private static TabletServerErrorPB error(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    KuduException known =
        cause instanceof KuduException kudu
            ? kudu
            : new KuduException(StatusCode.RUNTIME_ERROR, String.valueOf(cause), cause);
    return error(
        known.code() == StatusCode.ILLEGAL_STATE
            ? TabletServerErrorPB.Code.NOT_THE_LEADER
            : TabletServerErrorPB.Code.UNKNOWN_ERROR,
        known.code(),
        known.getMessage());
  }

  private static TabletServerErrorPB error(
      TabletServerErrorPB.Code code, StatusCode status, String message) {
    return TabletServerErrorPB.newBuilder()
        .setCode(code)
        .setStatus(StatusWire.toWire(status, message))
        .build();
  }
}
