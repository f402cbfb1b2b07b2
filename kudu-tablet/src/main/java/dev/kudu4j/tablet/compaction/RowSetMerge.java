package dev.kudu4j.tablet.compaction;

import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.checkpoint.NewFiles;
import dev.kudu4j.tablet.checkpoint.WrittenRowSet;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.env.TabletEnvironment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Merges the rows of several rowsets by key and writes them as new rowsets.
 *
 * <p>Rows are copied in runs, column by column: a run contains all rows below the next key of every
 * other input. An input is opened when its first row is needed and closed after its last row, so
 * inputs that do not overlap do not hold blocks in memory at the same time. Rows that were deleted
 * before the ancient history mark are dropped.
 */
final class RowSetMerge implements AutoCloseable {
  /** The total memory for the blocks of all inputs. */
  private static final long MEMORY_BYTES = 64 << 20;

  private static final int MIN_ROWS = 16;

  private final BufferAllocator allocator;
  private final RollingRowSetWriter out;
  private final RowHistoryMerger merger;
  private final List<CompactionInput> inputs = new ArrayList<>();
  private final List<CompactionInput> sameKey = new ArrayList<>();
  private final PriorityQueue<CompactionInput> queue = new PriorityQueue<>();

  /**
   * @param rowSets the inputs; pinned by the caller
   * @param schema the schema of the outputs
   * @param mark history below it is dropped; 0 keeps all history
   */
  RowSetMerge(
      TabletEnvironment environment,
      NewFiles files,
      List<DiskRowSet> rowSets,
      Schema schema,
      long mark) {
    this.allocator = environment.allocator().newChildAllocator("rowset merge", 0, Long.MAX_VALUE);
    this.out = new RollingRowSetWriter(environment, allocator, files, schema);
    this.merger = new RowHistoryMerger(allocator, mark);
    int maxRows = environment.options().batchRows();
    for (DiskRowSet rowSet : rowSets) {
      int rows = blockRows(rowSet, maxRows, MEMORY_BYTES / rowSets.size());
      inputs.add(new CompactionInput(allocator, rowSet, schema, mark, rows, inputs.size()));
    }
  }

  /**
   * The number of rows in a block: fewer if the rows are wide. A row is assumed to take four times
   * as much memory as it takes in the rowset's files.
   */
  private static int blockRows(DiskRowSet rowSet, int max, long memoryBytes) {
    long rowBytes = 1 + 4 * rowSet.onDisk().dataBytes() / rowSet.base().rowCount();
    return (int) Math.min(max, Math.max(MIN_ROWS, memoryBytes / rowBytes));
  }

  /** Merges all rows. The returned rowsets are in key order and their files are synced. */
  List<WrittenRowSet> run() throws IOException {
    queue.addAll(inputs);
    while (!queue.isEmpty()) {
      CompactionInput input = queue.remove();
      if (!input.hasRow()) {
        enqueue(input);
      } else if (!queue.isEmpty() && input.compareTo(queue.peek()) == 0) {
        mergeSameKey(input);
      } else {
        int rows = input.rowsBelow(queue.peek());
        appendRun(input, rows);
        input.advance(rows);
        enqueue(input);
      }
    }
    return out.finish();
  }

  private void enqueue(CompactionInput input) throws IOException {
    if (input.fill()) {
      queue.add(input);
    } else {
      input.closeRows();
    }
  }

  private void appendRun(CompactionInput input, int rows) throws IOException {
    int end = input.at() + rows;
    int from = input.at();
    while (from < end) {
      int to = from;
      while (to < end && !input.isAncient(to)) {
        to++;
      }
      append(input, from, to - from);
      from = to + 1;
    }
  }

  private void append(CompactionInput input, int from, int count) throws IOException {
    if (count > 0) {
      input.map().setRun(input.ordinal(from), count, out.nextNumber());
      out.append(input, from, count);
    }
  }

  /** Merges the rows of one key into one row. */
  private void mergeSameKey(CompactionInput first) throws IOException {
    sameKey.clear();
    sameKey.add(first);
    while (!queue.isEmpty() && queue.peek().compareTo(first) == 0) {
      CompactionInput input = queue.remove();
      input.fill();
      sameKey.add(input);
    }
    merger.clear();
    for (CompactionInput input : sameKey) {
      if (!input.isAncient(input.at())) {
        merger.add(input);
      }
    }
    appendMerged();
    for (CompactionInput input : sameKey) {
      input.advance(1);
      enqueue(input);
    }
  }

  private void appendMerged() throws IOException {
    if (merger.isEmpty()) {
      return;
    }
    long number = out.nextNumber();
    merger.appendTo(out);
    CompactionInput newest = merger.newest();
    newest.map().setRun(newest.ordinal(newest.at()), 1, number);
  }

  /**
   * For each input, in the order of the inputs, the output row numbers of its rows; owned by this
   * merge.
   */
  List<OrdinalMap> maps() {
    return inputs.stream().map(CompactionInput::map).toList();
  }

  /** Releases everything except {@link #maps}. */
  void closeFiles() throws IOException {
    inputs.forEach(CompactionInput::closeRows);
    merger.close();
    out.close();
  }

  @Override
  public void close() {
    inputs.forEach(CompactionInput::close);
    allocator.close();
  }
}
