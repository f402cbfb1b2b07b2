package dev.kudu4j.server.rpc;

import dev.kudu4j.common.id.HexId;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.wire.HostPortWire;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.raft.RaftHost;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the members of a Raft group from a request. The members are written to the group's log and
 * sent to other members, so each is checked before anything is changed.
 */
public final class PeerWire {
  /** The maximum number of members in a request; far above the largest replication factor. */
  private static final int MAX_MEMBERS = 64;

  private PeerWire() {}

  /**
   * The members of a group, each with the address of its Raft port.
   *
   * @param field name of the field in the request, for error messages
   * @throws KuduException INVALID_ARGUMENT for a missing id, an unusable address, or a repeated id
   */
  public static List<RaftHost.Peer> members(String field, List<RaftPeerPB> peers) {
    if (peers.size() > MAX_MEMBERS) {
      throw KuduException.invalidArgument(
          "%s names %d peers; at most %d are allowed", field, peers.size(), MAX_MEMBERS);
    }
    List<RaftHost.Peer> members = new ArrayList<>(peers.size());
    Set<String> uuids = new HashSet<>();
    for (RaftPeerPB peer : peers) {
      RaftHost.Peer member = member(field, peer);
      if (!uuids.add(member.serverUuid())) {
        throw KuduException.invalidArgument("%s names server %s twice", field, member.serverUuid());
      }
      members.add(member);
    }
    return members;
  }

  private static RaftHost.Peer member(String field, RaftPeerPB peer) {
    String uuid = HexId.require("permanent_uuid of a peer in " + field, peer.getPermanentUuid());
    HostPortPB raft =
        HostPortWire.require("raft_addr of peer " + uuid + " in " + field, peer.getRaftAddr());
    return new RaftHost.Peer(uuid, raft.getHost(), raft.getPort(), rpcAddress(peer));
  }

  /**
   * The RPC address of a peer as host:port; null if the request does not specify it.
   *
   * @throws KuduException INVALID_ARGUMENT
   */
  public static @Nullable String rpcAddress(RaftPeerPB peer) {
    return peer.hasLastKnownAddr()
        ? HostPort.fromWire("last_known_addr", peer.getLastKnownAddr()).toString()
        : null;
  }
}
