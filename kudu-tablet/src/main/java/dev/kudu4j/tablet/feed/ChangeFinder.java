package dev.kudu4j.tablet.feed;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.delta.ChangeLog;
import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.delta.DeltaMemStore;
import dev.kudu4j.tablet.memrowset.MemRow;
import dev.kudu4j.tablet.memrowset.MemRowSet;
import dev.kudu4j.tablet.rowset.BaseData;
import dev.kudu4j.tablet.rowset.RowSetKeyCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rows that changed in a time, by the timestamps of insertions and changes in all
 * components. Stores and files without a timestamp in this time are not read.
 *
 * <p>The result may contain too much, for example a row that was inserted and deleted at the same
 * timestamp, but it lacks no change. Compactions never remove a timestamp at or above the ancient
 * history mark. Used once.
 */
final class ChangeFinder {
  private static final int TIMESTAMPS_PER_READ = 4096;

  /** The maximum size of the keys on the heap; with longer ones, fewer changes are found. */
  private static final long MAX_KEY_BYTES = 16L << 20;

  /**
   * The changes that were found.
   *
   * @param changes in order, without duplicates
   * @param areAll whether there are no more changes in the time
   */
  record Found(List<FoundChange> changes, boolean areAll) {}

  private final Components components;
  private final FeedPosition from;
  private final long end;
  private int max;
  private long keyBytes;
  private List<FoundChange> found = new ArrayList<>();
  private @Nullable FoundChange last; // later changes are dropped; null before the first is

  /**
   * @param end exclusive
   * @param max how many changes to find
   */
  ChangeFinder(Components components, FeedPosition from, long end, int max) {
    this.components = components;
    this.from = from;
    this.end = end;
    this.max = Math.max(1, max);
  }

  /** Returns the first changes from the position on. */
  Found find() throws IOException {
    for (DiskRowSet rowSet : components.rowSets()) {
      findIn(rowSet);
    }
    components.frozenMemRowSets().forEach(this::findIn);
    findIn(components.activeMemRowSet());
    keepFirst();
    return new Found(found, last == null);
  }

  private boolean overlaps(long minTimestamp, long maxTimestamp) {
    return maxTimestamp >= from.timestamp() && minTimestamp < lastTimestamp() + 1;
  }

  /** The highest timestamp that is still wanted. */
  private long lastTimestamp() {
    return last == null ? end - 1 : last.timestamp();
  }

  private boolean isWanted(long timestamp) {
    return timestamp >= from.timestamp() && timestamp <= lastTimestamp();
  }

  private void add(long timestamp, byte[] key) {
    byte[] after = from.afterKey();
    if (after != null && timestamp == from.timestamp() && Arrays.compareUnsigned(key, after) <= 0) {
      return;
    }
    FoundChange change = new FoundChange(timestamp, key);
    if (last == null || change.compareTo(last) < 0) {
      found.add(change);
      keyBytes += key.length;
      if (keyBytes > MAX_KEY_BYTES) {
        max = Math.max(1, Math.min(max, found.size() / 4));
      }
      if (found.size() >= 2L * max) {
        keepFirst();
      }
    }
  }

  /** Sorts the changes, and drops duplicates and all but the first. */
  private void keepFirst() {
    found.sort(null);
    List<FoundChange> distinct = new ArrayList<>(Math.min(found.size(), max));
    for (FoundChange change : found) {
      if (distinct.isEmpty() || !distinct.get(distinct.size() - 1).equals(change)) {
        if (distinct.size() == max) {
          last = distinct.get(max - 1);
          break;
        }
        distinct.add(change);
      }
    }
    found = distinct;
    keyBytes = found.stream().mapToLong(change -> change.key().length).sum();
  }

  // ---------------------------------------------------------------- memory

  private void findIn(MemRowSet rows) {
    if (!overlaps(rows.minTimestamp(), rows.maxTimestamp())) {
      return;
    }
    int count = rows.arrivalCount();
    for (int i = rows.firstArrivalFrom(from.timestamp()); i < count; i++) {
      long row = rows.arrival(i);
      long inserted = MemRow.insertTimestamp(row);
      if (inserted > lastTimestamp()) {
        break;
      }
      add(inserted, key(row));
    }
    ChangeLog.Cursor changes = rows.changes().cursor(from.timestamp());
    while (changes.next(lastTimestamp())) {
      add(changes.timestamp(), key(changes.row()));
    }
  }

  private static byte[] key(long row) {
    byte[] key = new byte[MemRow.keyLength(row)];
    Memory.copy(MemRow.keyAddress(row), key, 0, key.length);
    return key;
  }

  // ---------------------------------------------------------------- disk

  private void findIn(DiskRowSet rowSet) throws IOException {
    try (RowSetKeyCursor keys = rowSet.base().openKeys()) {
      findInsertions(rowSet.base(), keys);
      for (DeltaFile file : rowSet.undoFiles()) {
        findIn(file, keys);
      }
      for (DeltaFile file : rowSet.redoFiles()) {
        findIn(file, keys);
      }
      if (rowSet.frozenDeltas() != null) {
        findIn(rowSet.frozenDeltas(), keys);
      }
      findIn(rowSet.activeDeltas(), keys);
    }
  }

  private void findInsertions(BaseData base, RowSetKeyCursor keys) throws IOException {
    if (!overlaps(base.minInsertTimestamp(), base.maxInsertTimestamp())) {
      return;
    }
    long[] timestamps = new long[TIMESTAMPS_PER_READ];
    for (long first = 0; first < base.rowCount(); first += TIMESTAMPS_PER_READ) {
      int count = (int) Math.min(TIMESTAMPS_PER_READ, base.rowCount() - first);
      base.readInsertTimestamps(first, count, timestamps);
      for (int i = 0; i < count; i++) {
        if (isWanted(timestamps[i])) {
          add(timestamps[i], key(keys, first + i));
        }
      }
    }
  }

  private void findIn(DeltaFile file, RowSetKeyCursor keys) throws IOException {
    if (!overlaps(file.minTimestamp(), file.maxTimestamp())) {
      return;
    }
    try (DeltaFile.Cursor cursor = file.openCursor()) {
      byte[] key = null;
      long keyOf = -1;
      while (cursor.next()) {
        if (isWanted(cursor.timestamp())) {
          if (key == null || keyOf != cursor.ordinal()) {
            keyOf = cursor.ordinal();
            key = key(keys, keyOf);
          }
          add(cursor.timestamp(), key);
        }
      }
    }
  }

  private void findIn(DeltaMemStore store, RowSetKeyCursor keys) throws IOException {
    if (!overlaps(store.minTimestamp(), store.maxTimestamp())) {
      return;
    }
    ChangeLog.Cursor changes = store.changes().cursor(from.timestamp());
    long[] timestamps = new long[TIMESTAMPS_PER_READ];
    long[] ordinals = new long[TIMESTAMPS_PER_READ]; // and in the low bits, the place of each
    boolean more = true;
    while (more) {
      int count = 0;
      while (count < TIMESTAMPS_PER_READ && (more = changes.next(lastTimestamp()))) {
        timestamps[count] = changes.timestamp();
        ordinals[count] = changes.row() * TIMESTAMPS_PER_READ + count;
        count++;
      }
      Arrays.sort(ordinals, 0, count);
      byte[] key = null;
      for (int i = 0; i < count; i++) {
        long ordinal = ordinals[i] / TIMESTAMPS_PER_READ;
        if (key == null || ordinals[i - 1] / TIMESTAMPS_PER_READ != ordinal) {
          key = key(keys, ordinal);
        }
        add(timestamps[(int) (ordinals[i] % TIMESTAMPS_PER_READ)], key);
      }
    }
  }

  private static byte[] key(RowSetKeyCursor keys, long ordinal) throws IOException {
    if (keys.ordinal() + 1 == ordinal) {
      keys.next();
    } else if (keys.ordinal() != ordinal) {
      keys.seek(ordinal);
    }
    return Arrays.copyOf(keys.keyArray(), keys.keyLength());
  }
}
