package dev.kudu4j.tablet.feed;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.env.TabletEnvironment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Reads the change feed of a tablet.
 *
 * <p>Successive changes are read in chunks. In a chunk, most rows change once: their states before
 * all changes of the chunk and after all of them are read by two scans. Only the states between two
 * changes of the same row need a scan at a snapshot of their own.
 */
public final class ChangeFeed {
  private static final int FIRST_CHUNK = 8; // rows may be wide
  private static final int MAX_CHUNK = 1024;
  private static final int GROWTH = 4;

  private final RowStates states;
  private final ChangeBatch out;
  private final LongSupplier nanoTime;
  private long beganNanos; // to read rows

  private ChangeFeed(RowStates states, ChangeBatch out, LongSupplier nanoTime) {
    this.states = states;
    this.out = out;
    this.nanoTime = nanoTime;
  }

  /**
   * Reads the next changes.
   *
   * @param components pinned by the caller, with all operations below the end of the request
   * @param out an empty batch with the projection of the request
   * @throws KuduException INVALID_ARGUMENT for a position below the ancient history mark, an
   *     unknown column and a projection that lacks a key column; CORRUPTION for a damaged file
   */
  public static void read(
      TabletEnvironment environment, Components components, FeedRequest request, ChangeBatch out)
      throws IOException {
    check(components, request);
    try (BufferAllocator allocator =
            environment.scans().newChildAllocator("change feeds", 0, Long.MAX_VALUE);
        RowStates states =
            new RowStates(
                components, allocator, request.projection(), environment.options().batchRows())) {
      new ChangeFeed(states, out, environment.nanoTime()).read(components, request);
    }
  }

  private static void check(Components components, FeedRequest request) {
    long mark = components.ancientHistoryMark();
    if (request.from().timestamp() < mark) {
      throw KuduException.invalidArgument(
          "The changes from %d on are no longer all there, because the retained history starts at"
              + " %d; scan the table at a snapshot and follow the changes from it, or raise"
              + " --tablet_history_max_age_sec",
          request.from().timestamp(), mark);
    }
    for (ColumnSchema column : keyColumns(components.schema())) {
      if (request.projection().indexOfId(column.id()) < 0) {
        throw KuduException.invalidArgument(
            "The change feed needs all key columns; add %s to the projection", column);
      }
    }
  }

  private static List<ColumnSchema> keyColumns(Schema schema) {
    return schema.columns().subList(0, schema.keyColumnCount());
  }

  private void read(Components components, FeedRequest request) throws IOException {
    if (request.end() <= request.from().timestamp()) {
      out.setNext(request.from()); // with its key
      return;
    }
    ChangeFinder.Found found =
        new ChangeFinder(components, request.from(), request.end(), request.maxChanges()).find();
    List<FoundChange> changes =
        found.changes().stream().filter(change -> request.keys().test(change.key())).toList();
    beganNanos = nanoTime.getAsLong(); // a long search must not leave time for a few rows only
    int done = 0;
    int chunk = FIRST_CHUNK;
    while (done < changes.size() && (done == 0 || !isFull(request))) {
      int count = Math.min(chunk, changes.size() - done);
      states.clear();
      append(changes.subList(done, done + count));
      done += count;
      long bytesOfChange = Math.max(1, states.rows().bytes() / count);
      long left = request.softLimitBytes() - out.rows().bytes();
      long fitting = Math.max(1, left / bytesOfChange);
      chunk = (int) Math.min(Math.min(GROWTH * (long) chunk, MAX_CHUNK), fitting);
    }
    if (done < changes.size()) {
      out.setNext(behind(changes.get(done - 1)));
    } else {
      int count = found.changes().size();
      out.setNext(
          found.areAll() ? FeedPosition.at(request.end()) : behind(found.changes().get(count - 1)));
    }
  }

  private boolean isFull(FeedRequest request) {
    return out.rows().bytes() >= request.softLimitBytes()
        || nanoTime.getAsLong() - beganNanos >= request.maxNanos();
  }

  private static FeedPosition behind(FoundChange change) {
    return new FeedPosition(change.timestamp(), change.key());
  }

  /**
   * Appends successive changes. In the order by (timestamp, key), they reach from {@code first} to
   * {@code last}, and no change between them is missing. So the state of a row before its first
   * change in the chunk is that at the first timestamp; rows with a key below that of the first
   * change may have changed at this timestamp, before the chunk, and are read right after it. The
   * same at the end.
   */
  private void append(List<FoundChange> changes) throws IOException {
    List<List<Integer>> byKey = byKey(changes);
    List<byte[]> keys = byKey.stream().map(row -> changes.get(row.get(0)).key()).toList();
    FoundChange first = changes.get(0);
    FoundChange last = changes.get(changes.size() - 1);
    int keysBelow = countBelow(keys, first.key());
    int[] before =
        join(
            states.read(keys.subList(0, keysBelow), first.timestamp() + 1),
            states.read(keys.subList(keysBelow, keys.size()), first.timestamp()));
    int keysUpTo = countBelow(keys, Arrays.copyOf(last.key(), last.key().length + 1));
    int[] after =
        join(
            states.read(keys.subList(0, keysUpTo), last.timestamp() + 1),
            states.read(keys.subList(keysUpTo, keys.size()), last.timestamp()));

    int[] stateBefore = new int[changes.size()];
    int[] stateAfter = new int[changes.size()];
    readBetween(changes, byKey, stateBefore);
    for (int key = 0; key < byKey.size(); key++) {
      List<Integer> row = byKey.get(key);
      stateBefore[row.get(0)] = before[key];
      for (int i = 1; i < row.size(); i++) {
        stateAfter[row.get(i - 1)] = stateBefore[row.get(i)];
      }
      stateAfter[row.get(row.size() - 1)] = after[key];
    }
    for (int i = 0; i < changes.size(); i++) {
      if (isChange(stateBefore[i], stateAfter[i])) {
        out.add(changes.get(i).timestamp(), states, stateBefore[i], stateAfter[i]);
      }
    }
  }

  private boolean isChange(int before, int after) {
    if (before == RowStates.NO_ROW || after == RowStates.NO_ROW) {
      return before != after;
    }
    return !states.areEqual(before, after);
  }

  /** The changes of each row, as ascending indexes; the rows in key order. */
  private static List<List<Integer>> byKey(List<FoundChange> changes) {
    Map<byte[], List<Integer>> rows = new TreeMap<>(Arrays::compareUnsigned);
    for (int i = 0; i < changes.size(); i++) {
      rows.computeIfAbsent(changes.get(i).key(), key -> new ArrayList<>(1)).add(i);
    }
    return List.copyOf(rows.values());
  }

  /** Reads the states of rows before their second change and the ones after it. */
  private void readBetween(List<FoundChange> changes, List<List<Integer>> byKey, int[] stateBefore)
      throws IOException {
    Map<Long, List<Integer>> byTime = new TreeMap<>();
    for (List<Integer> row : byKey) {
      for (int change : row.subList(1, row.size())) {
        byTime
            .computeIfAbsent(changes.get(change).timestamp(), time -> new ArrayList<>())
            .add(change);
      }
    }
    for (Map.Entry<Long, List<Integer>> time : byTime.entrySet()) {
      List<Integer> some = time.getValue();
      some.sort(Comparator.naturalOrder()); // changes of one time are in key order
      int[] read =
          states.read(some.stream().map(i -> changes.get(i).key()).toList(), time.getKey());
      for (int i = 0; i < read.length; i++) {
        stateBefore[some.get(i)] = read[i];
      }
    }
  }

  /** How many of the ascending keys are below the bound. */
  private static int countBelow(List<byte[]> keys, byte[] bound) {
    int low = 0;
    int high = keys.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(keys.get(middle), bound) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static int[] join(int[] one, int[] other) {
    int[] both = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }
}
