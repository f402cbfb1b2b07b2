package dev.kudu4j.tablet.compaction;

import dev.kudu4j.tablet.delta.Mutation;
import dev.kudu4j.tablet.rewrite.MutationBuilder;
import dev.kudu4j.tablet.rewrite.MutationList;
import dev.kudu4j.tablet.rewrite.RowHistories;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Merges rows with the same key from several inputs into one row.
 *
 * <pre>
 *   input A:   insert 10 ........ delete 20
 *   input B:                                 insert 30 ...... update 40
 *   row:       insert 10         UNDO REINSERT 20, DELETE 30, UPDATE 40        cells: as of 40
 * </pre>
 *
 * <p>At any time the key is live in at most one of the rows. The merged history contains the UNDO
 * changes of all rows in time order, plus a DELETE for the insertion of each row except the first,
 * and a REINSERT of the last cells for the deletion of each row except the last. The rows may be
 * live alternately if one of them was itself merged from several rows. Reusable. Not thread-safe.
 */
final class RowHistoryMerger implements AutoCloseable {
  private final long mark;
  private final MutationBuilder entries;
  private final MutationList undo = new MutationList();
  private final RowHistories history = new RowHistories();
  private final List<CompactionInput> rows = new ArrayList<>();
  private @Nullable CompactionInput newest; // null before the first merged row

  RowHistoryMerger(BufferAllocator allocator, long mark) {
    this.mark = mark;
    this.entries = new MutationBuilder(allocator);
  }

  void clear() {
    rows.clear();
  }

  /**
   * Adds the row at the input's position. The row must not be ancient ({@link
   * CompactionInput#isAncient}).
   */
  void add(CompactionInput input) {
    rows.add(input);
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  /** The input of the row with the newest state, the only row that can be live. */
  CompactionInput newest() {
    assert newest != null : "no row has been merged";
    return newest;
  }

  /** Appends the merged row to the output. */
  void appendTo(RollingRowSetWriter out) throws IOException {
    CompactionInput latest = findNewest();
    CompactionInput oldest = findOldest();
    newest = latest;
    collectUndo(latest, oldest);
    int last = latest.at();
    history.begin(1);
    for (int i = 0; i < undo.size(); i++) {
      history.undo(0, undo.get(i));
    }
    for (int i = 0; i < latest.histories().redoCount(last); i++) {
      history.redo(0, latest.histories().redo(last, i));
    }
    history.end(1);
    out.append(latest, last, oldest.insertTimestamp(oldest.at()), history);
    entries.clear();
  }

  private CompactionInput findNewest() {
    CompactionInput found = rows.get(0);
    for (CompactionInput row : rows) {
      if (isLater(row, found)) {
        found = row;
      }
    }
    return found;
  }

  private CompactionInput findOldest() {
    CompactionInput found = rows.get(0);
    for (CompactionInput row : rows) {
      if (row.insertTimestamp(row.at()) < found.insertTimestamp(found.at())) {
        found = row;
      }
    }
    return found;
  }

  private static boolean isLater(CompactionInput row, CompactionInput other) {
    long end = row.deletion(row.at());
    long otherEnd = other.deletion(other.at());
    if (end == 0 || otherEnd == 0) {
      if (end == otherEnd && row != other) {
        throw new IllegalStateException("A key is live in two rows");
      }
      return end == 0;
    }
    long time = Mutation.timestamp(end) - Mutation.timestamp(otherEnd);
    return time != 0 ? time > 0 : Mutation.sequence(end) > Mutation.sequence(otherEnd);
  }

  private void collectUndo(CompactionInput latest, CompactionInput oldest) {
    undo.clear();
    for (CompactionInput row : rows) {
      int at = row.at();
      for (int i = 0; i < row.histories().undoCount(at); i++) {
        undo.add(row.histories().undo(at, i));
      }
      if (row != latest) {
        long end = row.deletion(at);
        undo.add(
            entries.reinsert(row.batch(), at, Mutation.timestamp(end), Mutation.sequence(end)));
      }
      if (row != oldest) {
        addInsertion(row, row.insertTimestamp(at));
      }
    }
    undo.sortByTime();
  }

  /**
   * Adds the UNDO change for the insertion of a row. The request that inserted the row may also
   * have deleted an earlier row of the key (possibly not one of the merged rows) and may have
   * changed the new row afterwards. Therefore the insertion is ordered as late as possible:
   * immediately before the request's first change of the inserted row.
   */
  private void addInsertion(CompactionInput inserted, long timestamp) {
    if (timestamp < mark) {
      return;
    }
    int at = inserted.at();
    int sequence = Integer.MAX_VALUE;
    if (inserted.histories().undoCount(at) > 0) {
      sequence = sequenceBefore(inserted.histories().undo(at, 0), timestamp);
    } else if (inserted.deletion(at) != 0) {
      sequence = sequenceBefore(inserted.deletion(at), timestamp);
    }
    undo.add(entries.delete(timestamp, sequence));
  }

  private static int sequenceBefore(long entry, long timestamp) {
    return Mutation.timestamp(entry) == timestamp
        ? Mutation.sequence(entry) - 1
        : Integer.MAX_VALUE;
  }

  @Override
  public void close() {
    entries.close();
  }
}
