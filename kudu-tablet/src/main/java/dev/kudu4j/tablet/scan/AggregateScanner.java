package dev.kudu4j.tablet.scan;

import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.scan.aggregate.Aggregator;
import dev.kudu4j.tablet.scan.aggregate.GroupMemory;
import dev.kudu4j.tablet.scan.source.RowSource;
import java.io.IOException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Returns groups instead of rows. It reads until the source is exhausted or the groups take their
 * share of memory, then returns all groups, forgets them and reads on. So a group may be returned
 * several times, each time for other rows.
 */
final class AggregateScanner implements TabletScanner {
  /** A call returns after this time, possibly without groups; the caller then calls again. */
  private static final long MAX_CALL_NANOS = 500_000_000;

  private final Components components;
  private final BufferAllocator allocator;
  private final LongSupplier nanoTime;
  private final RowSource source;
  private final Supplier<Aggregator> empty;
  private final GroupMemory.Share memory;
  private Aggregator groups;
  private int nextGroup = -1; // the next group to return; -1 while reading
  private boolean visited; // whether the groups are of at least one block
  private boolean exhausted;
  private boolean closed;

  /** Takes ownership of the pin, the allocator and the source. */
  AggregateScanner(
      Components components,
      BufferAllocator allocator,
      LongSupplier nanoTime,
      RowSource source,
      Supplier<Aggregator> empty,
      GroupMemory memory) {
    this.components = components;
    this.allocator = allocator;
    this.nanoTime = nanoTime;
    this.source = source;
    this.empty = empty;
    this.groups = empty.get();
    this.memory = memory.join();
  }

  @Override
  public boolean next(ColumnBatch out, long softLimitBytes) throws IOException {
    if (closed) {
      throw new IllegalStateException("Scanner used after close");
    }
    long start = nanoTime.getAsLong();
    while (nextGroup < 0) {
      exhausted = source.isExhausted();
      if (exhausted || (visited && groups.bytes() >= memory.bytes())) {
        groups.finish();
        nextGroup = 0;
      } else if (nanoTime.getAsLong() - start > MAX_CALL_NANOS) {
        return true;
      } else {
        source.visitBlock(groups);
        visited = true; // so each round makes progress, however small the share
      }
    }
    append(out, softLimitBytes);
    if (nextGroup < groups.groupCount()) {
      return true;
    }
    groups = exhausted ? null : empty.get();
    visited = false;
    nextGroup = -1;
    return !exhausted;
  }

  /** Appends groups, at least one if there is one. */
  private void append(ColumnBatch out, long softLimitBytes) {
    int before = out.rowCount();
    int rows = before;
    while (nextGroup < groups.groupCount() && (rows == before || out.bytes() < softLimitBytes)) {
      if (groups.isGroup(nextGroup)) {
        groups.append(nextGroup, out);
        out.setRowCount(++rows);
      }
      nextGroup++;
    }
  }

  @Override
  public byte[] lastKey() {
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
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    memory.leave();
    groups = null;
    try {
      source.close();
      allocator.close();
    } finally {
      components.unpin();
    }
  }
}
