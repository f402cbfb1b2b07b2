package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnBatch;
import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * A source in a merge, with one block of rows and keys read ahead. The block's memory is allocated
 * when the first row is needed.
 */
final class MergeInput implements AutoCloseable {
  private final RowSource source;
  private final BufferAllocator allocator;
  private final Schema projection;
  private final byte[] lowestKey;
  private final BatchKeys keys = new BatchKeys();
  private @Nullable ColumnBatch rows; // null before the first block
  private int at;

  /** Takes ownership of the source. */
  MergeInput(RowSource source, byte[] lowestKey, BufferAllocator allocator, Schema projection) {
    this.source = source;
    this.lowestKey = lowestKey;
    this.allocator = allocator;
    this.projection = projection;
  }

  RowSource source() {
    return source;
  }

  byte[] lowestKey() {
    return lowestKey;
  }

  /** Whether a row has been read ahead. */
  boolean hasRow() {
    return at < keys.count();
  }

  /** Reads ahead until there is a row; false at the end. */
  boolean fill() throws IOException {
    if (rows == null) {
      rows = new ColumnBatch(allocator, projection);
    }
    while (!hasRow()) {
      if (source.isExhausted()) {
        return false;
      }
      rows.clear();
      keys.clear();
      at = 0;
      source.readBlock(rows, Integer.MAX_VALUE, keys);
    }
    return true;
  }

  int compareTo(MergeInput other) {
    return keys.compare(at, other.keys, other.at);
  }

  int compareTo(byte[] key) {
    return keys.compare(at, key);
  }

  boolean isGhost() {
    return keys.isGhost(at);
  }

  void skip() {
    at++;
  }

  /**
   * The number of rows read ahead, at most {@code max}, whose keys are below the next key of {@code
   * below} and below {@code belowKey}. Each of the two may be null.
   */
  int runLength(@Nullable MergeInput below, byte @Nullable [] belowKey, int max) {
    int run = 0;
    int end = (int) Math.min((long) at + max, keys.count());
    for (int i = at; i < end; i++, run++) {
      if ((below != null && keys.compare(i, below.keys, below.at) >= 0)
          || (belowKey != null && keys.compare(i, belowKey) >= 0)) {
        break;
      }
    }
    return run;
  }

  /** Moves rows to the output and copies the key of the last moved row to {@code lastKey}. */
  void append(int count, ColumnBatch out, @Nullable BatchKeys outKeys, KeyBuffer lastKey) {
    assert rows != null : "rows were read ahead";
    int before = out.rowCount();
    for (int i = 0; i < out.schema().columnCount(); i++) {
      out.column(i).appendRange(rows.column(i), at, count);
    }
    out.setRowCount(before + count);
    if (outKeys != null) {
      for (int i = at; i < at + count; i++) {
        outKeys.add(keys.array(), keys.offset(i), keys.length(i), keys.isGhost(i));
      }
    }
    at += count;
    lastKey.clear();
    lastKey.append(keys.array(), keys.offset(at - 1), keys.length(at - 1));
  }

  @Override
  public void close() {
    source.close();
    if (rows != null) {
      rows.close();
      rows = null;
    }
  }
}
