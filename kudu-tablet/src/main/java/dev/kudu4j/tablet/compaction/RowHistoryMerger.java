package dev.kudu4j.tablet.compaction;

import dev.kudu4j.tablet.delta.Mutation;
import dev.kudu4j.tablet.rewrite.MutationBuilder;
import dev.kudu4j.tablet.rewrite.MutationList;
import dev.kudu4j.tablet.rewrite.RowHistories;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Makes one row of the rows of one key that stand in several inputs.
 *
 * <pre>
 *   input A:   insert 10 ........ delete 20
 *   input B:                                 insert 30 ...... update 40
 *   row:       insert 10         UNDO REINSERT 20, DELETE 30, UPDATE 40        cells: as of 40
 * </pre>
 *
 * <p>At any time the key lives in at most one of the rows. So their UNDO changes in the order of
 * time, with a DELETE where each row but the first came into being and a REINSERT of its last cells
 * where each row but the last died, tell all lives; the rows may well take turns, when one of them
 * is itself made of several. Used again and again. Not thread-safe.
 */
final class RowHistoryMerger implements AutoCloseable {
  private final long mark;
  private final MutationBuilder entries;
  private final MutationList undo = new MutationList();
  private final RowHistories history = new RowHistories();
  private final List<CompactionInput> rows = new ArrayList<>();
  private CompactionInput newest;
  private CompactionInput oldest;

  RowHistoryMerger(BufferAllocator allocator, long mark) {
    this.mark = mark;
    this.entries = new MutationBuilder(allocator);
  }

  void clear() {
    rows.clear();
  }

  /** Adds the row at the input's place; it is not ancient. */
  void add(CompactionInput input) {
    rows.add(input);
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  /** The row whose state is that of now: the only one that may live. */
  CompactionInput newest() {
    return newest;
  }

  /** Appends the one row to the output. */
  void appendTo(RollingRowSetWriter out) throws IOException {
    findEnds();
    tell();
    int last = newest.at();
    history.begin(1);
    for (int i = 0; i < undo.size(); i++) {
      history.undo(0, undo.get(i));
    }
    for (int i = 0; i < newest.histories().redoCount(last); i++) {
      history.redo(0, newest.histories().redo(last, i));
    }
    history.end(1);
    out.append(newest, last, oldest.insertTimestamp(oldest.at()), history);
    entries.clear();
  }

  private void findEnds() {
    newest = rows.get(0);
    oldest = rows.get(0);
    for (CompactionInput row : rows) {
      if (isLater(row, newest)) {
        newest = row;
      }
      if (row.insertTimestamp(row.at()) < oldest.insertTimestamp(oldest.at())) {
        oldest = row;
      }
    }
  }

  private static boolean isLater(CompactionInput row, CompactionInput other) {
    long end = row.deletion(row.at());
    long otherEnd = other.deletion(other.at());
    if (end == 0 || otherEnd == 0) {
      if (end == otherEnd && row != other) {
        throw new IllegalStateException("A key lives twice");
      }
      return end == 0;
    }
    long time = Mutation.timestamp(end) - Mutation.timestamp(otherEnd);
    return time != 0 ? time > 0 : Mutation.sequence(end) > Mutation.sequence(otherEnd);
  }

  private void tell() {
    undo.clear();
    for (CompactionInput row : rows) {
      int at = row.at();
      for (int i = 0; i < row.histories().undoCount(at); i++) {
        undo.add(row.histories().undo(at, i));
      }
      if (row != newest) {
        long end = row.deletion(at);
        undo.add(
            entries.reinsert(row.batch(), at, Mutation.timestamp(end), Mutation.sequence(end)));
      }
      if (row != oldest) {
        addBirth(row, row.insertTimestamp(at));
      }
    }
    undo.sortByTime();
  }

  /**
   * The request may have ended another row's life before, even that of a row which is not among
   * these; and it may have changed the new row after. So the birth comes as late as it can, right
   * before what the request did to the row itself.
   */
  private void addBirth(CompactionInput born, long timestamp) {
    if (timestamp < mark) {
      return;
    }
    int at = born.at();
    int sequence = Integer.MAX_VALUE;
    if (born.histories().undoCount(at) > 0) {
      sequence = sequenceBefore(born.histories().undo(at, 0), timestamp);
    } else if (born.deletion(at) != 0) {
      sequence = sequenceBefore(born.deletion(at), timestamp);
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
