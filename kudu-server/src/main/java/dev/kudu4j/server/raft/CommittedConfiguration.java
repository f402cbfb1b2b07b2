package dev.kudu4j.server.raft;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftConfiguration;

/**
 * The configuration of a Raft group that a majority has in its log. Raft itself uses the latest
 * configuration in the log, which may still be reverted. The latest configuration must not be
 * reported to the master, because the master might delete a replica that is still a member.
 *
 * @param index index of its log entry; -1 for the configuration that the group was created with
 */
public record CommittedConfiguration(
    long index, List<GroupPeer> voters, List<GroupPeer> listeners) {
  public CommittedConfiguration {
    voters = List.copyOf(voters);
    listeners = List.copyOf(listeners);
  }

  public static CommittedConfiguration of(long index, RaftConfigurationProto configuration) {
    return new CommittedConfiguration(
        index,
        fromMessages(configuration.getPeersList()),
        fromMessages(configuration.getListenersList()));
  }

  /**
   * The configuration of a replica that has not applied a configuration entry yet. During a change
   * of members this is the previous configuration, because the change may be reverted.
   */
  static CommittedConfiguration initial(RaftConfiguration latest) {
    boolean inDoubt = !latest.getPreviousPeers(RaftPeerRole.FOLLOWER).isEmpty();
    return new CommittedConfiguration(
        latest.getLogEntryIndex(),
        fromPeers(
            inDoubt
                ? latest.getPreviousPeers(RaftPeerRole.FOLLOWER)
                : latest.getCurrentPeers(RaftPeerRole.FOLLOWER)),
        fromPeers(
            inDoubt
                ? latest.getPreviousPeers(RaftPeerRole.LISTENER)
                : latest.getCurrentPeers(RaftPeerRole.LISTENER)));
  }

  /** The latest configuration in the log, which may not be committed yet. */
  static CommittedConfiguration latest(RaftConfiguration latest) {
    return new CommittedConfiguration(
        latest.getLogEntryIndex(),
        fromPeers(latest.getCurrentPeers(RaftPeerRole.FOLLOWER)),
        fromPeers(latest.getCurrentPeers(RaftPeerRole.LISTENER)));
  }

  private static List<GroupPeer> fromMessages(List<RaftPeerProto> messages) {
    List<GroupPeer> peers = new ArrayList<>();
    for (RaftPeerProto peer : messages) {
      peers.add(
          new GroupPeer(peer.getId().toStringUtf8(), peer.getAddress(), peer.getClientAddress()));
    }
    return peers;
  }

  private static List<GroupPeer> fromPeers(Collection<RaftPeer> peers) {
    return peers.stream().map(GroupPeer::of).toList();
  }

  public boolean contains(String serverUuid) {
    return isAmong(serverUuid, voters) || isAmong(serverUuid, listeners);
  }

  public boolean isVoter(String serverUuid) {
    return isAmong(serverUuid, voters);
  }

  private static boolean isAmong(String serverUuid, List<GroupPeer> peers) {
    return peers.stream().anyMatch(peer -> peer.serverUuid().equals(serverUuid));
  }

  /** Whether the voters and learners are the same servers, regardless of their addresses. */
  public boolean hasSameMembers(
      Collection<GroupPeer> otherVoters, Collection<GroupPeer> otherListeners) {
    return uuids(voters).equals(uuids(otherVoters))
        && uuids(listeners).equals(uuids(otherListeners));
  }

  private static Set<String> uuids(Collection<GroupPeer> peers) {
    Set<String> uuids = new HashSet<>();
    peers.forEach(peer -> uuids.add(peer.serverUuid()));
    return uuids;
  }

  /** The uuids of all members, voters first. */
  public List<String> servers() {
    List<String> servers = new ArrayList<>();
    voters.forEach(peer -> servers.add(peer.serverUuid()));
    listeners.forEach(peer -> servers.add(peer.serverUuid()));
    return servers;
  }
}
