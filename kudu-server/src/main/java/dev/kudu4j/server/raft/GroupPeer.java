package dev.kudu4j.server.raft;

import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.jspecify.annotations.Nullable;

/**
 * A server in the configuration of a Raft group.
 *
 * @param raftAddress host:port of the server's Raft port
 * @param rpcAddress host:port where the server served RPC when it became a member; null or empty if
 *     unknown
 */
public record GroupPeer(String serverUuid, String raftAddress, @Nullable String rpcAddress) {
  static GroupPeer of(RaftPeer peer) {
    return new GroupPeer(peer.getId().toString(), peer.getAddress(), peer.getClientAddress());
  }

  RaftPeer toRaftPeer() {
    return RaftPeer.newBuilder()
        .setId(RaftPeerId.valueOf(serverUuid))
        .setAddress(raftAddress)
        .setClientAddress(rpcAddress)
        .build();
  }
}
