package dev.kudu4j.server.rpc;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.id.HexId;
import dev.kudu4j.common.id.UntrustedText;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.server.replica.ReplicaDirectory;
import dev.kudu4j.server.replica.TabletReplica;
import java.util.Optional;

/** Finds the replica of a call, after checking that the call is meant for this server. */
record CalledReplicas(ServerIdentity identity, ReplicaDirectory replicas) {
  boolean isMe(ByteString uuid) {
    return uuid.toStringUtf8().equals(identity.uuid());
  }

  CallRefusal wrongServer(ByteString wanted) {
    return new CallRefusal(
        TabletServerErrorPB.Code.WRONG_SERVER_UUID,
        StatusCode.INVALID_ARGUMENT,
        "The call is for server " + idText(wanted) + ", but this is server " + identity.uuid());
  }

  private static String idText(ByteString id) {
    return HexId.isValid(id) ? id.toStringUtf8() : UntrustedText.format(id);
  }

  /**
   * The running replica of the tablet. Fails if the call names another server as its destination,
   * or if this server has no running replica of the tablet.
   */
  TabletReplica running(boolean toSomebody, ByteString destination, ByteString tablet)
      throws CallRefusal {
    if (toSomebody && !isMe(destination)) {
      throw wrongServer(destination);
    }
    String tabletId = tablet.toStringUtf8();
    Optional<TabletReplica> replica = replicas.find(tabletId);
    if (replica.isEmpty()) {
      throw new CallRefusal(
          TabletServerErrorPB.Code.TABLET_NOT_FOUND,
          StatusCode.NOT_FOUND,
          "Tablet " + idText(tablet) + " has no replica on this server");
    }
    if (replica.get().lifeCycleState() != TabletReplica.State.RUNNING) {
      throw new CallRefusal(
          TabletServerErrorPB.Code.TABLET_NOT_RUNNING,
          StatusCode.SERVICE_UNAVAILABLE,
          "The replica of tablet " + tabletId + " is " + replica.get().lifeCycleState());
    }
    return replica.get();
  }
}
