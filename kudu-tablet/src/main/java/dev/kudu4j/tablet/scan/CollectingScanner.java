package dev.kudu4j.tablet.scan;

import dev.kudu4j.common.thread.WouldBlock;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.scan.collect.Collector;
import dev.kudu4j.tablet.scan.collect.CollectorMemory;
import dev.kudu4j.tablet.scan.source.RowSource;
import dev.kudu4j.tablet.scan.source.ScanWork;
import java.io.IOException;
import java.util.function.LongSupplier;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Returns the results of a {@link Collector} instead of rows. It reads until the source is
 * exhausted or the results take their share of memory, then returns all results, drops them and
 * reads on.
 */
final class CollectingScanner implements TabletScanner {
  /** A call returns after this time, possibly without results; the caller then calls again. */
  private static final long MAX_CALL_NANOS = 500_000_000;

  /** A call that must not block and lasts longer than this is repeated on another thread. */
  private static final long MAX_NONBLOCKING_NANOS = 100_000;

  private final Components components;
  private final BufferAllocator allocator;
  private final LongSupplier nanoTime;
  private final RowSource source;
  private final ScanWork work;
  private final Collector results;
  private final CollectorMemory.Share memory;
  private int nextResult = -1; // the next result to return; -1 while reading
  private boolean visited; // whether the results are of at least one block
  private boolean exhausted;
  private boolean closed;

  /** Takes ownership of the pin, the allocator, the source, the collector and the share. */
  CollectingScanner(
      Components components,
      BufferAllocator allocator,
      LongSupplier nanoTime,
      RowSource source,
      Collector results,
      CollectorMemory.Share memory,
      ScanWork work) {
    this.components = components;
    this.allocator = allocator;
    this.nanoTime = nanoTime;
    this.source = source;
    this.work = work;
    this.results = results;
    this.memory = memory;
  }

  @Override
  public boolean next(ColumnBatch out, long softLimitBytes) throws IOException {
    if (closed) {
      throw new IllegalStateException("Scanner used after close");
    }
    long start = nanoTime.getAsLong();
    while (nextResult < 0) {
      exhausted = source.isExhausted();
      memory.hold(results.heapBytes());
      if (exhausted || (visited && areFull())) {
        results.finish();
        memory.hold(results.heapBytes()); // until all results are returned
        nextResult = 0;
      } else {
        long nanos = nanoTime.getAsLong() - start;
        if (nanos > MAX_CALL_NANOS) {
          return true;
        }
        if (nanos > MAX_NONBLOCKING_NANOS) {
          WouldBlock.check("a long scan");
        }
        source.visitBlock(results);
        visited = true; // so each round makes progress, however small the share
      }
    }
    append(out, softLimitBytes);
    if (nextResult < results.resultCount()) {
      return true;
    }
    results.restart();
    memory.hold(results.heapBytes());
    visited = false;
    nextResult = -1;
    return !exhausted;
  }

  /**
   * Whether the results take their share of memory, and at least half of it after compaction, or
   * leave too little off-heap memory.
   */
  private boolean areFull() {
    if (!memory.isFull(results.bytes()) && results.hasHeadroom()) {
      return false;
    }
    results.compact();
    memory.hold(results.heapBytes());
    return memory.isFull(2 * results.bytes()) || !results.hasHeadroom();
  }

  /** Appends results, at least one if there is one. */
  private void append(ColumnBatch out, long softLimitBytes) {
    int before = out.rowCount();
    int rows = before;
    int end = results.resultCount();
    while (nextResult < end && (rows == before || out.bytes() < softLimitBytes)) {
      if (results.append(nextResult++, out)) {
        out.setRowCount(++rows);
      }
    }
  }

  @Override
  public void prepare() throws IOException {
    source.prepare();
  }

  @Override
  public byte @Nullable [] lastKey() {
    return null;
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
    memory.leave();
    try (allocator;
        source) {
      results.close();
    } finally {
      components.unpin();
    }
  }
}
