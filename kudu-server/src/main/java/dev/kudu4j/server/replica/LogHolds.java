package dev.kudu4j.server.replica;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** Who needs the log from an index on, beside the members of the group. Thread-safe. */
final class LogHolds {
  @GuardedBy("this")
  private final TreeMap<Long, Integer> holders = new TreeMap<>();

  /** Nothing above the index may go until the hold is closed. */
  synchronized LogHold hold(long index) {
    holders.merge(index, 1, Integer::sum);
    AtomicBoolean ended = new AtomicBoolean();
    return () -> {
      if (ended.compareAndSet(false, true)) {
        end(index);
      }
    };
  }

  private synchronized void end(long index) {
    holders.computeIfPresent(index, (held, count) -> count == 1 ? null : count - 1);
  }

  /** The log may go up to here, as far as holds are concerned. */
  synchronized long lowest() {
    return holders.isEmpty() ? Long.MAX_VALUE : holders.firstKey();
  }
}
