package dev.kudu4j.server.replica;

import dev.kudu4j.common.rpc.RateLimitedLog;
import dev.kudu4j.server.logging.LogMarkers;
import dev.kudu4j.server.logging.ReplicaPrefix;
import dev.kudu4j.server.raft.CommittedConfiguration;
import dev.kudu4j.server.raft.RaftMember;
import dev.kudu4j.server.raft.election.ElectionTracker;
import dev.kudu4j.server.replica.members.ConsensusView;
import dev.kudu4j.server.replica.members.MembershipListener;
import dev.kudu4j.server.transport.VoteWatch.Answer;
import dev.kudu4j.server.web.html.Figures;
import dev.kudu4j.tablet.log.LogPosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the log lines about one replica: its elections, the members of its group, and its end.
 * Each line begins with tablet, server, term and role.
 */
final class ReplicaLogger implements ElectionTracker.Listener, MembershipListener {
  private static final Logger LOG = LoggerFactory.getLogger(TabletReplica.class);
  private static final RateLimitedLog SLOW_APPENDS = RateLimitedLog.oncePerSecond(LOG);
  private static final RateLimitedLog SLOW_APPLIES = RateLimitedLog.oncePerSecond(LOG);

  private final ReplicaPrefix prefix;
  private final Supplier<@Nullable RaftMember> raft;
  private final ReplicaOptions options;
  private volatile String lastLeader = "";

  /**
   * @param raft returns null until the replica has started
   */
  ReplicaLogger(ReplicaPrefix prefix, Supplier<@Nullable RaftMember> raft, ReplicaOptions options) {
    this.prefix = prefix;
    this.raft = raft;
    this.options = options;
  }

  ReplicaPrefix prefix() {
    return prefix;
  }

  private String head() {
    RaftMember member = raft.get();
    return member == null
        ? prefix.toString()
        : prefix.in(member.currentTerm(), member.role().name());
  }

  // ---- elections

  @Override
  public void electionStarted(long term, boolean preliminary) {
    LOG.info(
        LogMarkers.ON_DEMAND,
        "{}: Election started: {}",
        head(),
        electionReason(term, preliminary));
  }

  private String electionReason(long term, boolean preliminary) {
    if (!preliminary) {
      return term == 1
          ? "the first one of a new tablet"
          : "this replica was asked to start one, for example to transfer the leadership";
    }
    long silentMillis = raft.get().leaderlessMillis();
    return lastLeader.isEmpty()
        ? "no leader was known for " + silentMillis + " ms"
        : "leader P " + lastLeader + " was not heard from for " + silentMillis + " ms";
  }

  @Override
  public void stillWithoutLeader(long millis, int attempts, Map<String, Answer> answers) {
    LOG.warn(
        "{}: No leader for {} s after {} elections: {}",
        head(),
        TimeUnit.MILLISECONDS.toSeconds(millis),
        attempts,
        answers.entrySet().stream()
            .map(answer -> "P " + answer.getKey() + " " + text(answer.getValue()))
            .sorted()
            .collect(Collectors.joining(", ")));
  }

  private static String text(Answer answer) {
    return switch (answer) {
      case GRANTED -> "would vote for this replica";
      case REFUSED -> "refuses its vote";
      case NONE -> "does not answer";
    };
  }

  /** Logs that a majority has elected and confirmed this replica, which now takes writes. */
  void elected(long term, ElectionTracker.Won won, int voters) {
    lastLeader = prefix.serverUuid();
    LOG.info(
        LogMarkers.ON_DEMAND,
        "{}: Elected leader with {} of {} votes, takes writes {} ms after the election started",
        prefix.in(term, "LEADER"),
        won.votes(),
        voters,
        won.millis());
  }

  /**
   * @param tookWrites whether the leader had begun to take writes
   */
  void leadershipLost(long term, boolean tookWrites, String reason) {
    LOG.info(
        LogMarkers.ON_DEMAND,
        "{}: Leadership of term {} lost{}: {}",
        head(),
        term,
        tookWrites ? "" : " before the first write",
        reason);
  }

  /** Logs that another replica leads, unless that was logged last. */
  void follows(String leader) {
    if (!leader.equals(lastLeader)) {
      lastLeader = leader;
      LOG.info(LogMarkers.ON_DEMAND, "{}: Following leader P {}", head(), leader);
    }
  }

  // ---- the group

  /** Logs that a new configuration with other members is committed. */
  void membersChanged(CommittedConfiguration before, CommittedConfiguration after) {
    List<String> old = names(before);
    List<String> now = names(after);
    if (!old.equals(now)) {
      LOG.info(
          LogMarkers.ON_DEMAND,
          "{}: Members changed from {} to {}, log index {}",
          head(),
          old,
          now,
          after.index());
    }
  }

  private static List<String> names(CommittedConfiguration configuration) {
    List<String> names = new ArrayList<>();
    configuration.voters().forEach(peer -> names.add(peer.serverUuid()));
    configuration.listeners().forEach(peer -> names.add(peer.serverUuid() + " (learner)"));
    names.sort(String::compareTo);
    return names;
  }

  @Override
  public void memberJudged(String server, ConsensusView.Health health, long silentMillis) {
    if (health.isFailed()) {
      LOG.warn(
          "{}: Member P {} counts as {}, not heard from for {} ms",
          head(),
          server,
          health,
          silentMillis);
    } else {
      LOG.info(LogMarkers.ON_DEMAND, "{}: Member P {} is {} again", head(), server, health);
    }
  }

  @Override
  public void stepBegun(String what) {
    LOG.info(LogMarkers.ON_DEMAND, "{}: {}", head(), what);
  }

  @Override
  public void stepFailed(Throwable failure) {
    LOG.info(
        LogMarkers.ON_DEMAND,
        "{}: A change of the members failed, trying again: {}",
        head(),
        String.valueOf(failure));
  }

  // ---- life cycle

  /** Logs that all entries that the log held at the start are applied. */
  void replayed(LogPosition from, LogPosition to, long bytes, long nanos) {
    LOG.info(
        "{}: Replayed {} log entries, {}, up to {}.{} within {} ms of the start",
        head(),
        to.index() - from.index(),
        Figures.bytesText(bytes),
        to.term(),
        to.index(),
        TimeUnit.NANOSECONDS.toMillis(nanos));
  }

  void failed(Throwable cause) {
    LOG.error(
        "{}: The replica has failed and no longer serves; a copy replaces it, unless it is the"
            + " only one",
        head(),
        cause);
  }

  void evicted() {
    LOG.info(
        LogMarkers.ON_DEMAND,
        "{}: Evicted: this replica is no longer a member of its group",
        head());
  }

  void closedUncleanly(Throwable cause) {
    LOG.warn("{}: The Raft group did not stop cleanly", head(), cause);
  }

  void joinNotNoted(Throwable cause) {
    LOG.warn("{}: Cannot record that the replica has joined its group", head(), cause);
  }

  // ---- slow operations

  /** Logs a warning if an append to the log was slow. */
  void appended(long nanos) {
    if (nanos >= options.appendTooLongNanos()) {
      SLOW_APPENDS.warn(
          "{}: Slow append to the log: {} ms; is the disk of --fs_wal_dir busy?",
          head(),
          TimeUnit.NANOSECONDS.toMillis(nanos));
    }
  }

  /** Logs a warning if applying an entry was slow. */
  void applied(LogPosition position, int bytes, long nanos) {
    if (nanos >= options.applyTooLongNanos()) {
      SLOW_APPLIES.warn(
          "{}: Slow apply of log entry {}.{} of {}: {} ms",
          head(),
          position.term(),
          position.index(),
          Figures.bytesText(bytes),
          TimeUnit.NANOSECONDS.toMillis(nanos));
    }
  }
}
