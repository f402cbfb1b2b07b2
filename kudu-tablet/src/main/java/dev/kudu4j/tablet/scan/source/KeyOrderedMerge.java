package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnBatch;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Merges sources by encoded key.
 *
 * <p>A source joins the merge when the merge reaches the source's lowest key, and leaves when it is
 * exhausted. Sources with disjoint keys are therefore read one after the other, and only
 * overlapping sources are compared. Rows are moved in runs: a run is a series of rows of one source
 * that are all below the next key of every other source. The last remaining source is read directly
 * into the output.
 *
 * <p>At one snapshot a key is live in at most one source. In a diff scan another source may also
 * return the key as a ghost, if the row was deleted within the interval and inserted again; the
 * merge then returns only the live row.
 */
public final class KeyOrderedMerge implements RowSource {
  private static final byte[] NO_KEY = new byte[0];

  private final int blockRows;
  private final boolean ghostsPossible;
  private final Deque<MergeInput> pending;
  private final KeyBuffer lastKey = new KeyBuffer();

  /** A binary heap ordered by the sources' next keys. */
  private final MergeInput[] heap;

  private int active;
  private boolean direct;
  private boolean appendedDirectly;
  private long rowsOfDone;
  private long bytesOfDone;

  /** Takes ownership of the sources. */
  KeyOrderedMerge(
      CompiledScan plan,
      List<? extends RowSource> sources,
      BufferAllocator allocator,
      Schema projection)
      throws IOException {
    this.blockRows = plan.blockRows();
    this.ghostsPossible = plan.isDiff();
    List<MergeInput> inputs = new ArrayList<>();
    for (RowSource source : sources) {
      inputs.add(new MergeInput(source, source.lowestKey(), allocator, projection));
    }
    inputs.sort(Comparator.comparing(MergeInput::lowestKey, Arrays::compareUnsigned));
    this.pending = new ArrayDeque<>(inputs);
    this.heap = new MergeInput[inputs.size()];
  }

  @Override
  public void readBlock(ColumnBatch out, int maxRows, @Nullable BatchKeys keys) throws IOException {
    int left = Math.min(maxRows, blockRows);
    while (left > 0 && activateDue()) {
      if (direct) {
        if (left == Math.min(maxRows, blockRows)) {
          readDirectly(out, maxRows, keys);
        }
        return;
      }
      if (ghostsPossible && dropGhost()) {
        continue;
      }
      int run = heap[0].runLength(secondSmallest(), firstPendingKey(), left);
      // Two sources cannot have a live row with the same key. If they do anyway, the merge returns
      // both rows instead of looping.
      int moved = Math.max(run, 1);
      heap[0].append(moved, out, keys, lastKey);
      left -= moved;
      settleTop();
    }
  }

  @Override
  public void prepare() throws IOException {
    for (MergeInput input : pending) {
      input.source().prepare();
    }
  }

  /** Adds the sources whose lowest key has been reached; false if no row is left in any source. */
  private boolean activateDue() throws IOException {
    if (direct) {
      return active > 0 && !heap[0].source().isExhausted();
    }
    while (!pending.isEmpty()
        && (active == 0 || heap[0].compareTo(pending.peek().lowestKey()) >= 0)) {
      if (active == 0 && pending.size() == 1) {
        direct = true;
        heap[active++] = pending.remove();
        return activateDue();
      }
      MergeInput input = pending.peek();
      if (input.fill()) {
        heap[active] = pending.remove();
        siftUp(active++);
      } else {
        retire(pending.remove());
      }
    }
    return active > 0;
  }

  /** Reads the last remaining source, whose rows need no comparison. */
  private void readDirectly(ColumnBatch out, int maxRows, @Nullable BatchKeys keys)
      throws IOException {
    int before = out.rowCount();
    heap[0].source().readBlock(out, maxRows, keys);
    appendedDirectly |= out.rowCount() > before;
  }

  /** If a diff scan has two rows of one key, drops the ghost; false if there is only one row. */
  private boolean dropGhost() throws IOException {
    MergeInput second = secondSmallest();
    if (second == null
        || heap[0].compareTo(second) != 0
        || (!heap[0].isGhost() && !second.isGhost())) {
      return false;
    }
    if (!heap[0].isGhost()) {
      int index = heap[1] == second ? 1 : 2;
      heap[index] = heap[0];
      heap[0] = second;
    }
    heap[0].skip();
    settleTop();
    return true;
  }

  private @Nullable MergeInput secondSmallest() {
    if (active < 2) {
      return null;
    }
    return active == 2 || heap[1].compareTo(heap[2]) <= 0 ? heap[1] : heap[2];
  }

  private byte @Nullable [] firstPendingKey() {
    return pending.isEmpty() ? null : pending.peek().lowestKey();
  }

  /** Restores the heap order after the top input advanced; removes the input if it is exhausted. */
  private void settleTop() throws IOException {
    MergeInput top = heap[0];
    boolean alone = active == 1 && pending.isEmpty();
    if (alone && !top.hasRow()) {
      direct = true;
      return;
    }
    if (!top.hasRow() && !top.fill()) {
      heap[0] = heap[--active];
      heap[active] = null;
      retire(top);
    }
    siftDown();
  }

  private void siftUp(int from) {
    int child = from;
    while (child > 0 && heap[child].compareTo(heap[(child - 1) >>> 1]) < 0) {
      swap(child, (child - 1) >>> 1);
      child = (child - 1) >>> 1;
    }
  }

  private void siftDown() {
    int parent = 0;
    while (2 * parent + 1 < active) {
      int child = 2 * parent + 1;
      if (child + 1 < active && heap[child + 1].compareTo(heap[child]) < 0) {
        child++;
      }
      if (heap[parent].compareTo(heap[child]) <= 0) {
        return;
      }
      swap(parent, child);
      parent = child;
    }
  }

  private void swap(int a, int b) {
    MergeInput moved = heap[a];
    heap[a] = heap[b];
    heap[b] = moved;
  }

  private void retire(MergeInput done) {
    rowsOfDone += done.source().rowsScanned();
    bytesOfDone += done.source().bytesRead();
    done.close();
  }

  @Override
  public boolean isExhausted() throws IOException {
    return !activateDue();
  }

  @Override
  public byte[] lowestKey() {
    return NO_KEY;
  }

  @Override
  public void lastKey(KeyBuffer out) throws IOException {
    if (appendedDirectly) {
      appendedDirectly = false;
      heap[0].source().lastKey(lastKey);
    }
    out.clear();
    out.append(lastKey.array(), 0, lastKey.length());
  }

  @Override
  public long rowsScanned() {
    long rows = rowsOfDone;
    for (int i = 0; i < active; i++) {
      rows += heap[i].source().rowsScanned();
    }
    return rows;
  }

  @Override
  public long bytesRead() {
    long bytes = bytesOfDone;
    for (int i = 0; i < active; i++) {
      bytes += heap[i].source().bytesRead();
    }
    return bytes;
  }

  @Override
  public void close() {
    for (int i = 0; i < active; i++) {
      heap[i].close();
    }
    active = 0;
    pending.forEach(MergeInput::close);
    pending.clear();
  }
}
