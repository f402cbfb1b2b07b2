package dev.kudu4j.client.scan;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Merges the rows of several sources, each ordered by primary key, into one order.
 *
 * <p>Rows are not copied: a result contains the source of each row. A result ends where a source's
 * batch is exhausted, because the next row of that source is not known. So a result references at
 * most one batch of each source. The sources are merged by a binary heap of cursors, without an
 * allocation per row.
 */
public final class KeyMerge {
  /** Stands for no source. */
  public static final int NONE = -1;

  private static final int FIRST_PICKS = 1024;

  private final MergeCursor[] cursors;
  private final MergeCursor[] heap;
  private int size;

  /**
   * @param keyColumns indexes of the key columns in the batches, in key order
   */
  public KeyMerge(int sources, CellLayout layout, int[] keyColumns) {
    cursors =
        IntStream.range(0, sources)
            .mapToObj(source -> new MergeCursor(source, layout, keyColumns))
            .toArray(MergeCursor[]::new);
    heap = new MergeCursor[sources];
  }

  /**
   * Rows in key order. The rows of one source are consecutive in its batch, from its first row on.
   *
   * @param sources the source of each row; may be longer than the number of rows
   * @param batches the batch of each source; null for sources without rows
   * @param firstRows the first row of each source, in its batch
   * @param usedUp the source whose next batch must be offered before more rows are taken; {@link
   *     #NONE} if every source has rows left
   */
  @SuppressWarnings("ArrayRecordComponent") // shared with one reader, never compared
  public record Merged(int count, int[] sources, RowBatch[] batches, int[] firstRows, int usedUp) {}

  /** Adds the next batch of a source that has no rows left. The batch has at least one row. */
  public void offer(int source, RowBatch batch) {
    MergeCursor cursor = cursors[source];
    cursor.begin(batch);
    int at = size++;
    while (at > 0 && cursor.isBefore(heap[(at - 1) / 2])) {
      heap[at] = heap[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    heap[at] = cursor;
  }

  /** Whether no source has rows. */
  public boolean isEmpty() {
    return size == 0;
  }

  /**
   * Takes the next rows, at least one. Called when every source has rows or has ended.
   *
   * @param max maximum number of rows, at least 1
   */
  public Merged take(long max) {
    assert size > 0 : "no source has rows";
    RowBatch[] batches = new RowBatch[cursors.length];
    int[] firstRows = new int[cursors.length];
    for (int i = 0; i < size; i++) {
      batches[heap[i].source()] = heap[i].batch();
      firstRows[heap[i].source()] = heap[i].row();
    }
    int[] sources = new int[(int) Math.min(max, FIRST_PICKS)];
    int count = 0;
    int usedUp = NONE;
    while (count < max && usedUp == NONE) {
      if (count == sources.length) {
        sources = Arrays.copyOf(sources, 2 * count);
      }
      MergeCursor first = heap[0];
      sources[count++] = first.source();
      if (first.advance()) {
        first.readKey();
      } else {
        usedUp = first.source();
        heap[0] = heap[--size];
        heap[size] = null;
      }
      siftDown();
    }
    return new Merged(count, sources, batches, firstRows, usedUp);
  }

  /** Sifts the cursor at the top, which has advanced, down to its place. */
  private void siftDown() {
    if (size == 0) {
      return;
    }
    MergeCursor moved = heap[0];
    int at = 0;
    int child = 1;
    while (child < size) {
      if (child + 1 < size && heap[child + 1].isBefore(heap[child])) {
        child++;
      }
      if (!heap[child].isBefore(moved)) {
        break;
      }
      heap[at] = heap[child];
      at = child;
      child = 2 * at + 1;
    }
    heap[at] = moved;
  }
}
