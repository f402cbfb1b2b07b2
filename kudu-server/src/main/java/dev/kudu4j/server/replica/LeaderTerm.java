package dev.kudu4j.server.replica;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.server.raft.RaftMember;

/**
 * The term in which this replica leads, if any. After its election a majority must confirm the
 * replica, so that its clock is past every time that those members have seen. Then the replica
 * takes writes. Raft reports the beginning of a term on the apply thread and the end on any thread;
 * a late report about a term that has ended is ignored.
 *
 * <pre>
 *   NONE --&gt; elected --&gt; led --&gt; NONE
 *                \--------------^
 * </pre>
 *
 * <p>Thread-safe. The {@code action} of a method runs under the lock, so its changes are atomic
 * with the change of the term.
 */
final class LeaderTerm {
  static final long NONE = RaftMember.NO_TERM;

  @GuardedBy("this")
  private long ended = NONE;

  private volatile long elected = NONE;
  private volatile long led = NONE;

  /** The term in which this replica leads and takes writes, or {@link #NONE}. */
  long now() {
    return led;
  }

  /** The term for which this replica was elected, whether or not it takes writes yet. */
  long elected() {
    return elected;
  }

  /**
   * Begins a term: the replica was elected and has applied everything before it. Returns false, and
   * does nothing, if the term has ended or has begun already.
   */
  synchronized boolean elected(long term) {
    if (term <= ended || elected == term) {
      return false;
    }
    elected = term;
    return true;
  }

  /**
   * Takes writes from now on. Returns false if the term has ended, or if the replica takes writes
   * already.
   */
  synchronized boolean begin(long term, Runnable action) {
    if (elected != term || led == term) {
      return false;
    }
    led = term;
    action.run();
    return true;
  }

  /**
   * Ends every term up to {@code term}. Returns false if the replica was not elected for any of
   * them.
   */
  synchronized boolean end(long term, Runnable action) {
    ended = Math.max(ended, term);
    if (elected == NONE || elected > term) {
      return false;
    }
    elected = NONE;
    led = NONE;
    action.run();
    return true;
  }
}
