package dev.kudu4j.server.replica;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftConfiguration;

/**
 * Raft's configuration as a majority has it. What Raft itself goes by is the latest in the log,
 * which may still be taken back: nobody may be told of it as a fact, or a replica might be deleted
 * that is a member after all.
 *
 * @param index of its log entry, -1 for the one that the group was made with
 */
record AgreedConfiguration(long index, List<RaftPeer> voters, List<RaftPeer> listeners) {
  static AgreedConfiguration of(long index, RaftConfigurationProto configuration) {
    return new AgreedConfiguration(
        index, peers(configuration.getPeersList()), peers(configuration.getListenersList()));
  }

  /** What a replica starts with, before it has applied any: the last but what is in doubt. */
  static AgreedConfiguration initial(RaftConfiguration latest) {
    boolean inDoubt = !latest.getPreviousPeers(RaftPeerRole.FOLLOWER).isEmpty();
    return new AgreedConfiguration(
        latest.getLogEntryIndex(),
        List.copyOf(
            inDoubt
                ? latest.getPreviousPeers(RaftPeerRole.FOLLOWER)
                : latest.getCurrentPeers(RaftPeerRole.FOLLOWER)),
        List.copyOf(
            inDoubt
                ? latest.getPreviousPeers(RaftPeerRole.LISTENER)
                : latest.getCurrentPeers(RaftPeerRole.LISTENER)));
  }

  private static List<RaftPeer> peers(List<RaftPeerProto> messages) {
    List<RaftPeer> peers = new ArrayList<>();
    for (RaftPeerProto peer : messages) {
      peers.add(
          RaftPeer.newBuilder()
              .setId(RaftPeerId.valueOf(peer.getId()))
              .setAddress(peer.getAddress())
              .setClientAddress(peer.getClientAddress())
              .build());
    }
    return List.copyOf(peers);
  }

  boolean contains(String serverUuid) {
    return isAmong(serverUuid, voters) || isAmong(serverUuid, listeners);
  }

  boolean isVoter(String serverUuid) {
    return isAmong(serverUuid, voters);
  }

  private static boolean isAmong(String serverUuid, Collection<RaftPeer> peers) {
    return peers.stream().anyMatch(peer -> peer.getId().toString().equals(serverUuid));
  }

  List<String> servers() {
    List<String> servers = new ArrayList<>();
    voters.forEach(peer -> servers.add(peer.getId().toString()));
    listeners.forEach(peer -> servers.add(peer.getId().toString()));
    return servers;
  }
}
