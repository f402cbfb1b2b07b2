package dev.kudu4j.server.raft.election;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.server.transport.VoteWatch.Answer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Tracks one replica's attempts to become leader, for the server's log: one line when it first asks
 * for votes, one per minute while no member wins, and the votes of the election that it wins.
 *
 * <p>Thread-safe.
 */
public final class ElectionTracker {
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Receives election events, for the server's log. */
  public interface Listener {
    /**
     * @param preliminary whether the replica asks for pre-votes. A pre-vote precedes every
     *     election, unless a leader transfers its leadership to this replica
     */
    void electionStarted(long term, boolean preliminary);

    /**
     * @param millis time since the first attempt
     * @param answers answers to the last attempt, by server
     */
    void stillWithoutLeader(long millis, int attempts, Map<String, Answer> answers);
  }

  /**
   * An election that was won.
   *
   * @param votes number of votes, including the replica's own
   * @param millis time since this replica first asked for votes
   */
  public record Won(int votes, long millis) {}

  private final BooleanSupplier isCandidate;
  private final Listener listener;
  private final LongSupplier nanoTime;

  @GuardedBy("this")
  private boolean underWay;

  @GuardedBy("this")
  private long startedNanos;

  @GuardedBy("this")
  private long saidNanos;

  @GuardedBy("this")
  private int attempts;

  @GuardedBy("this")
  private long term;

  @GuardedBy("this")
  private boolean preliminary;

  @GuardedBy("this")
  private final Map<String, Answer> answers = new LinkedHashMap<>();

  /**
   * @param isCandidate whether the replica is a candidate now; its vote requests in other roles are
   *     ignored
   */
  public ElectionTracker(BooleanSupplier isCandidate, Listener listener, LongSupplier nanoTime) {
    this.isCandidate = isCandidate;
    this.listener = listener;
    this.nanoTime = nanoTime;
  }

  /** The replica requested the vote of a server. */
  public synchronized void onVoteRequested(long inTerm, boolean isPreliminary, String server) {
    if (!isCandidate.getAsBoolean()) {
      return;
    }
    long now = nanoTime.getAsLong();
    boolean first = !underWay;
    boolean anotherAttempt =
        first || (isPreliminary && (!preliminary || answers.containsKey(server)));
    if (first) {
      underWay = true;
      startedNanos = now;
      saidNanos = now;
      attempts = 0;
    } else if (anotherAttempt && now - saidNanos >= PAUSE_NANOS) {
      saidNanos = now;
      listener.stillWithoutLeader(millisSinceStart(now), attempts, Map.copyOf(answers));
    }
    if (anotherAttempt) {
      attempts++;
    }
    if (anotherAttempt || inTerm != term || isPreliminary != preliminary) {
      term = inTerm;
      preliminary = isPreliminary;
      answers.clear();
    }
    answers.put(server, Answer.NONE);
    if (first) {
      listener.electionStarted(inTerm, isPreliminary);
    }
  }

  public synchronized void answered(
      long inTerm, boolean isPreliminary, String server, Answer answer) {
    if (inTerm == term && isPreliminary == preliminary && answers.containsKey(server)) {
      answers.put(server, answer);
    }
  }

  /** The replica has been elected. */
  public synchronized Won won() {
    long granted = answers.values().stream().filter(Answer.GRANTED::equals).count();
    Won won = new Won(1 + (int) granted, underWay ? millisSinceStart(nanoTime.getAsLong()) : 0);
    ended();
    return won;
  }

  /** The group has a leader. */
  public synchronized void ended() {
    underWay = false;
    answers.clear();
  }

  @GuardedBy("this")
  private long millisSinceStart(long now) {
    return TimeUnit.NANOSECONDS.toMillis(now - startedNanos);
  }
}
