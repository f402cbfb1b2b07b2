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
 * A replica that was opened with a configuration that does not name it: it was being thrown out
 * when it ended. It does not stand for election, so it would never be told how that went; so it
 * asks the members that the configuration names, until one says that it is no member, or until a
 * leader feeds it again because the change was taken back.
 *
 * <p>A leader says no to one whose log ends before the configuration that leaves it out: behind
 * that there could be a newer one, which the leader does not know. So this one asks as if its log
 * ended just before the last configuration in it, behind which there is none.
 */
public final class MembershipProbe {
  private static final Logger LOG = LoggerFactory.getLogger(MembershipProbe.class);
  private static final int PAUSE_MILLIS = 1_000;

  private final RaftServer server;
  private final RaftServer.Division division;
  private final Runnable evicted;
  private final ScheduledExecutorService executor;

  /**
   * @param evicted told when it is no member
   * @param executor asks; its threads may block on other servers
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
      return; // it is fed, or closed
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
