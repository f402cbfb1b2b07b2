package dev.kudu4j.server.replica;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.server.raft.RaftMember;

/**
 * The term in which this replica leads, if there is one: first it is elected and must be heard by a
 * majority, so that it knows whatever time any of them has seen; then it takes writes. Raft tells
 * of the beginning on the thread that applies, and of the end on any other: what comes late, about
 * a term that has ended, changes nothing.
 *
 * <pre>
 *   NONE --&gt; elected --&gt; led --&gt; NONE
 *                \--------------^
 * </pre>
 *
 * <p>Thread-safe. What has to change together with it is changed in the action, under its lock.
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

  /** The term that this replica was elected for, whether it takes writes or not yet. */
  long elected() {
    return elected;
  }

  /** This replica has been elected, and has applied all that came before, unless it is over. */
  synchronized boolean elected(long term) {
    if (term <= ended || elected == term) {
      return false;
    }
    elected = term;
    return true;
  }

  /** It takes writes from now on, unless the term has ended or does so already. */
  synchronized boolean begin(long term, Runnable action) {
    if (elected != term || led == term) {
      return false;
    }
    led = term;
    action.run();
    return true;
  }

  /** No term up to this one is led any more. */
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
