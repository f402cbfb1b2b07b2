package dev.kudu4j.tablet.scan;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.scan.source.RowSource;
import dev.kudu4j.tablet.scan.source.ScanWork;
import java.io.IOException;
import java.util.function.LongSupplier;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/** Reads blocks from the scan's source until a batch is full, and enforces the limit. */
final class RowScanner implements TabletScanner {
  /** A call that finds few rows returns after this time; the caller then calls again. */
  private static final long MAX_CALL_NANOS = 500_000_000;

  /**
   * The maximum number of rows of a batch. Only a scan with an empty projection reaches it, because
   * its rows have no bytes.
   */
  private static final int MAX_BATCH_ROWS = 1 << 30;

  private final Components components;
  private final BufferAllocator allocator;
  private final LongSupplier nanoTime;
  private final boolean wantsLastKey;
  private final RowSource source;
  private final ScanWork work;
  private final KeyBuffer lastKey = new KeyBuffer();
  private long left;
  private boolean appended;
  private boolean exhausted;
  private boolean closed;

  /** Takes ownership of the pin, the allocator and the source. */
  RowScanner(
      Components components,
      BufferAllocator allocator,
      LongSupplier nanoTime,
      RowSource source,
      ScanSpec spec,
      ScanWork work) {
    this.components = components;
    this.allocator = allocator;
    this.nanoTime = nanoTime;
    this.source = source;
    this.work = work;
    this.wantsLastKey = spec.ordered() || spec.wantLastKey();
    this.left = spec.limit();
  }

  @Override
  public boolean next(ColumnBatch out, long softLimitBytes) throws IOException {
    if (closed) {
      throw new IllegalStateException("Scanner used after close");
    }
    int before = out.rowCount();
    long start = nanoTime.getAsLong();
    do {
      if (isDone()) {
        return false;
      }
      int rows = out.rowCount();
      source.readBlock(out, (int) Math.min(left, MAX_BATCH_ROWS - rows), null);
      left -= out.rowCount() - rows;
      appended |= out.rowCount() > rows;
    } while (wantsMore(out, before, softLimitBytes, start));
    return !isDone();
  }

  private boolean isDone() throws IOException {
    exhausted = exhausted || left <= 0 || source.isExhausted();
    return exhausted;
  }

  private boolean wantsMore(ColumnBatch out, int before, long softLimitBytes, long start)
      throws IOException {
    boolean full =
        out.rowCount() == MAX_BATCH_ROWS
            || (out.rowCount() > before && out.bytes() >= softLimitBytes);
    return !full && !isDone() && nanoTime.getAsLong() - start < MAX_CALL_NANOS;
  }

  @Override
  public void prepare() throws IOException {
    source.prepare();
  }

  @Override
  public byte @Nullable [] lastKey() {
    if (!wantsLastKey || !appended || closed) {
      return null;
    }
    try {
      source.lastKey(lastKey);
    } catch (IOException e) {
      throw KuduException.ioError(e, "Failed to read the key of the last row");
    }
    return lastKey.length() == 0 ? null : lastKey.toByteArray(); // rows of an index have none
  }

  @Override
  public long rowsScanned() {
    return source.rowsScanned();
  }

  @Override
  public long bytesRead() {
    return source.bytesRead();
  }

  @Override
  public ScanWork work() {
    return work;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      source.close();
      allocator.close();
    } finally {
      components.unpin();
    }
  }
}
