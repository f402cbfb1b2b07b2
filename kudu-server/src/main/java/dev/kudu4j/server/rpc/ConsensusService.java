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
import dev.kudu4j.common.rpc.RpcService;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.StatusWire;
import dev.kudu4j.server.replica.ConsensusView;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.tablet.log.LogPosition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** What a server tells about the groups of its replicas. Changing them comes later. */
public final class ConsensusService {
  private static final String NAME = "kudu.consensus.ConsensusService";

  private final ServerIdentity identity;
  private final ReplicaDirectory replicas;
  private final PeerAddresses addresses;

  public ConsensusService(
      ServerIdentity identity, ReplicaDirectory replicas, PeerAddresses addresses) {
    this.identity = identity;
    this.replicas = replicas;
    this.addresses = addresses;
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
        .method(
            "LeaderStepDown",
            LeaderStepDownRequestPB.parser(),
            (rq, call) ->
                call.respond(
                    LeaderStepDownResponsePB.newBuilder()
                        .setError(notSupported("LeaderStepDown"))
                        .build()))
        .method(
            "RunLeaderElection",
            RunLeaderElectionRequestPB.parser(),
            (rq, call) ->
                call.respond(
                    RunLeaderElectionResponsePB.newBuilder()
                        .setError(notSupported("RunLeaderElection"))
                        .build()))
        .method(
            "StartTabletCopy",
            StartTabletCopyRequestPB.parser(),
            (rq, call) ->
                call.respond(
                    StartTabletCopyResponsePB.newBuilder()
                        .setError(notSupported("StartTabletCopy"))
                        .build()))
        .build();
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
    GetLastOpIdResponsePB.Builder response = GetLastOpIdResponsePB.newBuilder();
    if (request.hasDestUuid() && !isMe(request.getDestUuid())) {
      return response.setError(wrongServer(request.getDestUuid())).build();
    }
    String tabletId = request.getTabletId().toStringUtf8();
    TabletReplica replica = replicas.find(tabletId).orElse(null);
    if (replica == null) {
      return response
          .setError(
              error(
                  TabletServerErrorPB.Code.TABLET_NOT_FOUND,
                  StatusCode.NOT_FOUND,
                  "Tablet " + tabletId + " has no replica here"))
          .build();
    }
    if (replica.lifeCycleState() != TabletReplica.State.RUNNING) {
      return response
          .setError(
              error(
                  TabletServerErrorPB.Code.TABLET_NOT_RUNNING,
                  StatusCode.SERVICE_UNAVAILABLE,
                  "The replica of tablet " + tabletId + " is " + replica.lifeCycleState()))
          .build();
    }
    LogPosition position =
        request.getOpidType() == OpIdType.COMMITTED_OPID
            ? replica.lastCommitted()
            : replica.lastLogged();
    return response
        .setOpid(OpId.newBuilder().setTerm(position.term()).setIndex(position.index()))
        .build();
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
        method + " is not supported by this release; its groups have one member each");
  }

  private static TabletServerErrorPB error(
      TabletServerErrorPB.Code code, StatusCode status, String message) {
    return TabletServerErrorPB.newBuilder()
        .setCode(code)
        .setStatus(StatusWire.toWire(status, message))
        .build();
  }
}
