package org.apache.ratis.server.impl;

import dev.kudu4j.server.raft.threads.ElectionGate;
import dev.kudu4j.server.raft.threads.RaftThreads;
import dev.kudu4j.server.raft.threads.SerialTask;
import dev.kudu4j.server.transport.VoteRequests;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.server.impl.LeaderElection.ConfAndTerm;
import org.apache.ratis.server.impl.LeaderElection.Phase;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.raftlog.RaftLogBase;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A candidate: asks the other members for their votes until it is elected or ends, without a thread
 * that waits for the responses.
 *
 * <pre>
 *   gate --&gt; pre-vote -- majority --&gt; vote -- majority --&gt; leader
 *    ^          |                      |
 *    |          +-- refused by a majority, or a higher term --&gt; follower
 *    +----------+-- no majority within an election timeout
 * </pre>
 *
 * <p>A pre-vote asks whether the other member would vote, and changes no term (thesis of Raft,
 * section 9.6). A forced candidate, which a leader has chosen as its successor, skips it. Members
 * have no priorities. The {@link ElectionGate} limits how many groups of a server ask for votes at
 * the same time.
 *
 * <p>All steps are runs of one task.
 */
@NullMarked
final class PooledElection {
  private static final Logger LOG = LoggerFactory.getLogger(PooledElection.class);

  private final RaftServerImpl server;
  private final RaftThreads threads;
  private final SerialTask steps;
  private final Queue<Runnable> events = new ConcurrentLinkedQueue<>();
  private volatile boolean ended;

  // Accessed only by the steps.
  private @Nullable ConfAndTerm forced; // of the first round, if the election is forced
  private final boolean skipsPreVote;
  private ElectionGate.@Nullable Place place; // null until the gate is entered
  private @Nullable Round round; // null between rounds

  /**
   * Makes the server a candidate; called under its lock. A forced candidate begins the next term
   * immediately.
   */
  PooledElection(RaftServerImpl server, boolean force, RaftThreads threads) {
    this.server = server;
    this.threads = threads;
    this.skipsPreVote = force;
    this.steps = threads.task(server.getMemberId() + "-election", this::runEvents);
    if (force) {
      try {
        forced = server.getState().initElection(Phase.ELECTION);
      } catch (IOException e) { // the first round tries again
        LOG.warn("{}: the vote was not written", server.getMemberId(), e);
      }
    }
  }

  void start() {
    next(forced != null ? this::beginRound : this::enter); // the term of a forced one has begun
  }

  /** Ends the election; called under the server's lock, so no step changes the role afterwards. */
  void end() {
    ended = true;
  }

  private void next(Runnable event) {
    events.add(event);
    steps.signal();
  }

  private void runEvents() {
    for (Runnable event = events.poll(); event != null; event = events.poll()) {
      try {
        event.run();
      } catch (RuntimeException e) {
        LOG.error("{} failed as a candidate", server.getMemberId(), e);
        retry();
      }
    }
  }

  private boolean isOver() {
    return ended || !server.getInfo().isCandidate() || !server.getInfo().isAlive() || !isLogOpen();
  }

  /** A log that has failed is closed; this member cannot lead. */
  private boolean isLogOpen() {
    return ((RaftLogBase) server.getRaftLog()).isOpened();
  }

  // ---- rounds

  private void enter() {
    place = threads.elections().enter(() -> next(this::beginRound), this::isOver);
  }

  private void beginRound() {
    begin(skipsPreVote ? Phase.ELECTION : Phase.PRE_VOTE);
  }

  private void retry() {
    leaveRound();
    try {
      threads.after(
          server.getRandomElectionTimeout().toLong(TimeUnit.MILLISECONDS), () -> next(this::enter));
    } catch (IllegalStateException e) {
      LOG.debug("{} is no longer a candidate: the server is closed", server.getMemberId(), e);
    }
  }

  private void leaveRound() {
    round = null;
    if (place != null) {
      place.leave();
    }
  }

  private void begin(Phase phase) {
    ConfAndTerm begun;
    synchronized (server) {
      if (isOver()) {
        leaveRound();
        return;
      }
      try {
        begun = forced != null ? forced : server.getState().initElection(phase);
      } catch (IOException e) {
        LOG.warn("{} cannot be elected: its vote was not written", server.getMemberId(), e);
        retry();
        return;
      }
      forced = null;
    }
    if (!begun.getConf().containsInConf(server.getId())) {
      shutDown(begun.getTerm());
      return;
    }
    Round next = new Round(phase, begun);
    round = next;
    next.askAll();
  }

  /** One phase with one term. */
  private final class Round {
    private final Phase phase;
    private final RaftConfigurationImpl members;
    private final long term;
    private final boolean nothingCommitted;
    private final Set<RaftPeerId> answered = new HashSet<>();
    private final Set<RaftPeerId> granted = new HashSet<>();
    private final Set<RaftPeerId> refused = new HashSet<>();
    private int missing;

    Round(Phase phase, ConfAndTerm begun) {
      this.phase = phase;
      this.members = begun.getConf();
      this.term = begun.getTerm();
      this.nothingCommitted =
          server.getRaftLog().getLastCommittedIndex() < RaftLog.LEAST_VALID_LOG_INDEX;
    }

    void askAll() {
      Collection<RaftPeer> others = members.getOtherPeers(server.getId());
      if (others.isEmpty()) {
        won();
        return;
      }
      missing = others.size();
      TermIndex last = server.getState().getLastEntry();
      for (RaftPeer other : others) {
        RequestVoteRequestProto request =
            ServerProtoUtils.toRequestVoteRequestProto(
                server.getMemberId(), other.getId(), term, last, phase == Phase.PRE_VOTE);
        ask(request).whenComplete((reply, failure) -> next(() -> answered(reply, failure)));
      }
      try {
        threads.after(
            server.getRandomElectionTimeout().toLong(TimeUnit.MILLISECONDS),
            () -> next(this::timeOut));
      } catch (IllegalStateException e) {
        LOG.debug("{} is no longer a candidate: the server is closed", server.getMemberId(), e);
      }
    }

    private CompletableFuture<RequestVoteReplyProto> ask(RequestVoteRequestProto request) {
      RaftServerRpc rpc = server.getServerRpc();
      if (rpc instanceof VoteRequests votes) {
        return votes.ask(request);
      }
      return CompletableFuture.supplyAsync(
          () -> {
            try {
              return rpc.requestVote(request);
            } catch (IOException e) {
              throw new CompletionException(e);
            }
          },
          threads::execute);
    }

    private boolean isCurrent() {
      return round == this;
    }

    private void answered(@Nullable RequestVoteReplyProto reply, @Nullable Throwable failure) {
      if (!isCurrent()) {
        return;
      }
      if (reply == null) {
        LOG.debug("{}: a member did not vote", server.getMemberId(), failure);
      } else if (!count(reply)) {
        return;
      }
      if (--missing == 0) {
        if (isMajority() || members.isSingleMode(server.getId())) {
          won();
        } else {
          lost(server.getState().getCurrentTerm());
        }
      }
    }

    /** Returns false if the round is decided, or the reply does not count. */
    private boolean count(RequestVoteReplyProto reply) {
      RaftPeerId member = RaftPeerId.valueOf(reply.getServerReply().getReplyId());
      if (!answered.add(member)) {
        return false;
      }
      if (reply.getShouldShutdown()) {
        shutDown(term);
        return false;
      }
      if (reply.getTerm() > term) {
        lost(reply.getTerm());
        return false;
      }
      if (reply.getServerReply().getSuccess()
          && (nothingCommitted || LeaderElection.nonEmptyLog(reply))) {
        granted.add(member);
        if (isMajority()) {
          won();
          return false;
        }
      } else {
        refused.add(member);
        if (members.majorityRejectVotes(refused)) {
          lost(server.getState().getCurrentTerm());
          return false;
        }
      }
      return true;
    }

    private boolean isMajority() {
      return members.hasMajority(granted, server.getId());
    }

    private void timeOut() {
      if (!isCurrent()) {
        return;
      }
      if (members.isSingleMode(server.getId())) {
        won();
      } else {
        leaveRound();
        enter();
      }
    }

    private boolean isOutdated() {
      return isOver() || server.getState().getCurrentTerm() != term;
    }

    private void won() {
      if (phase == Phase.PRE_VOTE) {
        round = null;
        begin(Phase.ELECTION);
        return;
      }
      synchronized (server) {
        if (!isOutdated()) {
          server.changeToLeader();
        }
      }
      leaveRound();
      if (!isOver()) { // another term began in the meantime
        enter();
      }
    }

    /** The member is a follower again, and may become a candidate after an election timeout. */
    private void lost(long newTerm) {
      synchronized (server) {
        if (!isOutdated()) {
          try {
            server.changeToFollowerAndPersistMetadata(
                Math.max(newTerm, server.getState().getCurrentTerm()), false, phase);
          } catch (IOException e) {
            LOG.warn("{}: the term was not written", server.getMemberId(), e);
          }
        }
      }
      leaveRound();
      if (!isOver()) {
        enter();
      }
    }
  }

  /** This server is no longer a member, unless it has learned of a newer term. */
  private void shutDown(long term) {
    leaveRound();
    synchronized (server) {
      if (isOver() || server.getState().getCurrentTerm() != term) {
        return;
      }
      ended = true;
    }
    server.close();
    server.getStateMachine().event().notifyServerShutdown(server.getRoleInfoProto(), false);
  }
}
