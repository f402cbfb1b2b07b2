package dev.kudu4j.tablet.check;

import dev.kudu4j.tablet.rowset.RowSetKeyCursor;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Merges the live keys of all rowsets to check that each key is live in at most one rowset. */
final class LiveKeyCheck {
  /** Iterates over the live keys of one rowset. */
  private static final class LiveKeys implements AutoCloseable {
    private final RowSetChecker rowSet;
    private final RowSetKeyCursor cursor;
    private byte[] key = {};

    LiveKeys(RowSetChecker rowSet) {
      this.rowSet = rowSet;
      this.cursor = rowSet.base().openKeys();
    }

    boolean next() throws IOException {
      while (cursor.next()) {
        if (!rowSet.liveness().isDeleted(cursor.ordinal())) {
          key = Arrays.copyOf(cursor.keyArray(), cursor.keyLength());
          return true;
        }
      }
      return false;
    }

    byte[] key() {
      return key;
    }

    @Override
    public void close() {
      cursor.close();
    }
  }

  private LiveKeyCheck() {}

  static void check(List<RowSetChecker> rowSets, Problems problems) throws IOException {
    PriorityQueue<LiveKeys> byKey =
        new PriorityQueue<>((a, b) -> Arrays.compareUnsigned(a.key(), b.key()));
    try {
      for (RowSetChecker rowSet : rowSets) {
        advance(new LiveKeys(rowSet), byKey);
      }
      byte @Nullable [] previous = null;
      while (!byKey.isEmpty()) {
        LiveKeys lowest = byKey.poll();
        if (previous != null && Arrays.equals(previous, lowest.key())) {
          problems.add(
              0, "expected each key to be live once, found %s in two rowsets", Hex.of(previous));
        }
        previous = lowest.key();
        advance(lowest, byKey);
      }
    } finally {
      byKey.forEach(LiveKeys::close);
    }
  }

  private static void advance(LiveKeys keys, PriorityQueue<LiveKeys> byKey) throws IOException {
    boolean more = false;
    try {
      more = keys.next();
    } finally {
      if (!more) {
        keys.close();
      }
    }
    if (more) {
      byKey.add(keys);
    }
  }
}
