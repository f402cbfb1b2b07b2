package dev.kudu4j.server.replica;

import dev.kudu4j.server.replica.SafeTime.Promise;
import java.util.ArrayDeque;

/**
 * Promises of a leader that become valid once their indexes are applied, in the order of their
 * arrival. Guarded by {@link SafeTime}.
 */
final class Promises {
  private static final int MAX = 8;

  private final ArrayDeque<Promise> promises = new ArrayDeque<>(MAX);

  /** Adds a promise. If there are many, it replaces the last one. */
  void add(Promise promise) {
    if (promises.size() == MAX) {
      promises.removeLast();
    }
    promises.addLast(promise);
  }

  /** Removes those that are valid now, and returns the highest time of them; 0 if there is none. */
  long take(long appliedIndex) {
    long time = 0;
    while (!promises.isEmpty() && promises.peekFirst().index() <= appliedIndex) {
      time = Math.max(time, promises.removeFirst().time());
    }
    return time;
  }

  void clear() {
    promises.clear();
  }
}
