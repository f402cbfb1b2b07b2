package dev.kudu4j.server.raft.election;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Elects the leader of a new group without waiting for a timeout.
 *
 * <p>The master starts the members of a new group sequentially. If each member started an election
 * as soon as it runs, the first ones would find no voters, and several could split the votes;
 * either event costs an election timeout. Instead one member, chosen by the tablet's id, polls the
 * others until a majority would vote for it, and then starts an election. The choice depends on the
 * tablet, so leaders are spread over the servers.
 *
 * <p>The poll is Raft's pre-vote, which changes no state of the polled member. The polled member
 * refuses its vote once the group has a leader. If the chosen member does not start, the other
 * members elect a leader after their timeouts.
 */
public final class FirstElection {
  private static final Logger LOG = LoggerFactory.getLogger(FirstElection.class);

  private static final int FIRST_PAUSE_MILLIS = 5;
  private static final int LONGEST_PAUSE_MILLIS = 80;
  private static final int TRIES = 40;

  private final RaftServer server;
  private final RaftServer.Division division;
  private final List<RaftPeer> others;
  private final Runnable startElection;
  private final ScheduledExecutorService executor;
  private int tries;

  private FirstElection(
      RaftServer server,
      RaftServer.Division division,
      List<RaftPeer> others,
      Runnable startElection,
      ScheduledExecutorService executor) {
    this.server = server;
    this.division = division;
    this.others = others;
    this.startElection = startElection;
    this.executor = executor;
  }

  /**
   * Starts polling if this server is the chosen member.
   *
   * @param startElection makes the division a candidate, without a pre-vote
   * @param executor runs the polls; its threads may wait for responses of other servers
   */
  public static void begin(
      RaftServer server,
      RaftServer.Division division,
      List<RaftPeer> members,
      Runnable startElection,
      ScheduledExecutorService executor) {
    RaftPeerId self = division.getId();
    if (!chooseMember(division.getMemberId().getGroupId(), members).equals(self)) {
      return;
    }
    List<RaftPeer> others = members.stream().filter(p -> !p.getId().equals(self)).toList();
    new FirstElection(server, division, others, startElection, executor).schedulePoll(0);
  }

  private static RaftPeerId chooseMember(RaftGroupId group, List<RaftPeer> members) {
    List<RaftPeerId> ids =
        members.stream()
            .map(RaftPeer::getId)
            .sorted(Comparator.comparing(RaftPeerId::toString))
            .toList();
    return ids.get(Math.floorMod(group.getUuid().hashCode(), ids.size()));
  }

  private void schedulePoll(long pauseMillis) {
    executor.schedule(this::run, pauseMillis, TimeUnit.MILLISECONDS);
  }

  private void run() {
    if (!division.getInfo().isFollower()
        || division.getInfo().getLeaderId() != null
        || division.getInfo().getCurrentTerm() > 0) {
      return; // there is a leader, or an election has begun
    }
    int willing = 1;
    for (RaftPeer other : others) {
      if (2 * willing <= others.size() + 1 && wouldVote(other)) {
        willing++;
      }
    }
    if (2 * willing > others.size() + 1) {
      startElection.run();
    } else if (++tries < TRIES) {
      schedulePoll(Math.min(LONGEST_PAUSE_MILLIS, (long) FIRST_PAUSE_MILLIS * tries));
    }
  }

  private boolean wouldVote(RaftPeer other) {
    try {
      return PreVote.ask(server, division, other, 0, TermIndex.valueOf(0, 0))
          .getServerReply()
          .getSuccess();
    } catch (IOException | RuntimeException e) {
      LOG.debug("{}: {} does not run the group yet", division.getMemberId(), other.getId(), e);
      return false;
    }
  }
}
