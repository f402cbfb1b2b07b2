package dev.kudu4j.server.replica;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * The term in which this replica leads and takes writes, if there is one. Raft tells of the
 * beginning on the thread that applies, and of the end on any other: what comes late, about a term
 * that has ended, changes nothing.
 *
 * <p>Thread-safe. What has to change together with it is changed in the action, under its lock.
 */
final class LedTerm {
  static final long NONE = -1;

  @GuardedBy("this")
  private long ended = NONE;

  private volatile long led = NONE;

  /** The term that is led now, or {@link #NONE}. */
  long now() {
    return led;
  }

  /** A term begins, unless it has ended already. */
  synchronized boolean begin(long term, Runnable action) {
    if (term <= ended || led == term) {
      return false;
    }
    led = term;
    action.run();
    return true;
  }

  /** No term up to this one is led any more. */
  synchronized boolean end(long term, Runnable action) {
    ended = Math.max(ended, term);
    if (led == NONE || led > term) {
      return false;
    }
    led = NONE;
    action.run();
    return true;
  }
}
