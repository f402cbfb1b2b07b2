package dev.kudu4j.server.raft.election;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.util.LifeCycle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines whether a replica is still a member of its group, if it was opened with a
 * configuration that does not contain it. This happens if the replica was being removed when its
 * server stopped. Such a replica starts no election, so it would never learn that it was evicted.
 * It asks the members of the configuration until one of them answers that this replica is not a
 * member, or until a leader sends to this replica again because the removal was reverted.
 *
 * <p>A leader gives this response only to a replica whose log ends before the configuration that
 * does not contain the replica, because a longer log might hold a newer configuration. The replica
 * therefore asks as if its log ended just before the last configuration in it.
 */
public final class MembershipProbe {
  private static final Logger LOG = LoggerFactory.getLogger(MembershipProbe.class);
  private static final int PAUSE_MILLIS = 1_000;

  private final RaftServer server;
  private final RaftServer.Division division;
  private final Runnable evicted;
  private final ScheduledExecutorService executor;

  /**
   * @param evicted called if the replica is not a member
   * @param executor runs the requests; its threads may wait for responses of other servers
   */
  public MembershipProbe(
      RaftServer server,
      RaftServer.Division division,
      Runnable evicted,
      ScheduledExecutorService executor) {
    this.server = server;
    this.division = division;
    this.evicted = evicted;
    this.executor = executor;
  }

  public void ask() {
    if (division.getInfo().getLifeCycleState() != LifeCycle.State.STARTING) {
      return; // a leader sends to this replica, or the replica is closed
    }
    for (RaftPeer other :
        List.copyOf(division.getRaftConf().getCurrentPeers(RaftPeerRole.FOLLOWER))) {
      if (saysNo(other)) {
        evicted.run();
        return;
      }
    }
    executor.schedule(this::ask, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  private boolean saysNo(RaftPeer other) {
    try {
      long term = division.getInfo().getCurrentTerm();
      long beforeConfiguration = Math.max(0, division.getRaftConf().getLogEntryIndex() - 1);
      TermIndex last = TermIndex.valueOf(term, beforeConfiguration);
      return PreVote.ask(server, division, other, term, last).getShouldShutdown();
    } catch (IOException | RuntimeException e) {
      LOG.debug("{}: {} does not answer", division.getMemberId(), other.getId(), e);
      return false;
    }
  }
}
