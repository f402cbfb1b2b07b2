package dev.kudu4j.tablet.memrowset;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.btree.OffHeapBTree;
import dev.kudu4j.tablet.delta.Mutation;
import dev.kudu4j.tablet.memory.Arena;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Rows that are not on disk yet, ordered by encoded key, each with a chain of mutations, newest
 * first.
 *
 * <p>One writer, any number of readers without locks; nothing is removed: a deleted row has a
 * DELETE at the head of its chain. A row remembers the schema (layout) under which it was inserted,
 * so a schema change costs nothing here.
 *
 * <p>A row is written in full before the tree knows it, a mutation before its row does: whoever
 * finds either sees all of it.
 */
public final class MemRowSet implements AutoCloseable {
  private static final int MAX_LAYOUTS = 1 << 16;

  private final BufferAllocator allocator;
  private final Arena arena;

  /** Of the tree: rows that come in order lie one behind the other, with no nodes between. */
  private final Arena nodes;

  private final OffHeapBTree rows;

  /** By layout; replaced, never changed. */
  private volatile RowFormat[] formats;

  /** Of rows inserted now. Writer only. */
  private RowFormat format;

  private int layout;

  private volatile long minTimestamp = Long.MAX_VALUE;
  private volatile long maxTimestamp;

  /**
   * @param allocator shared; a named child is made of it
   */
  public MemRowSet(BufferAllocator allocator, int chunkBytes, Schema schema) {
    this.allocator = allocator.newChildAllocator("MemRowSets", 0, Long.MAX_VALUE);
    this.arena = new Arena(this.allocator, chunkBytes);
    this.nodes = new Arena(this.allocator, chunkBytes);
    this.rows = new OffHeapBTree(nodes, MemRow.KEY_LENGTH_OFFSET);
    this.format = new RowFormat(schema);
    this.formats = new RowFormat[] {format};
  }

  /** Rows inserted from now on have this schema. Writer only. */
  public void useSchema(Schema schema) {
    layout = layoutOf(schema);
    format = formats[layout];
  }

  private int layoutOf(Schema schema) {
    RowFormat[] known = formats;
    for (int i = 0; i < known.length; i++) {
      if (known[i].schema().equals(schema)) {
        return i;
      }
    }
    assert known.length < MAX_LAYOUTS;
    RowFormat[] more = Arrays.copyOf(known, known.length + 1);
    more[known.length] = new RowFormat(schema);
    formats = more;
    return known.length;
  }

  /**
   * The row of that key, deleted or not, as an address for {@link MemRow}; 0 when there is none.
   * Any thread.
   */
  public long find(byte[] key, int offset, int length) {
    return rows.get(key, offset, length);
  }

  /** Like {@link #find}; {@link #insert} of the same key then takes less. Writer only. */
  public long seek(byte[] key, int offset, int length) {
    return rows.seek(key, offset, length);
  }

  /**
   * Adds the row of a key that {@link #seek} did not find just now, and returns its address. Writer
   * only.
   */
  public long insert(byte[] key, int offset, int length, CellSource cells, long timestamp) {
    widenTimestamps(timestamp);
    long row = arena.allocate(format.rowBytes(length, cells));
    MemRow.writeHeader(row, timestamp, layout, key, offset, length);
    format.writeBody(row, cells);
    rows.add(key, offset, length, row);
    return row;
  }

  /** Appends a change to the row's chain and returns the mutation's address. Writer only. */
  public long mutate(
      long row, long timestamp, int sequence, byte[] change, int offset, int length) {
    widenTimestamps(timestamp);
    long older = Memory.getLong(row);
    long mutation = Mutation.write(arena, older, timestamp, sequence, change, offset, length);
    MemRow.publishMutation(row, mutation);
    return mutation;
  }

  /** Before the row or mutation can be seen. */
  private void widenTimestamps(long timestamp) {
    if (timestamp < minTimestamp) {
      minTimestamp = timestamp;
    }
    if (timestamp > maxTimestamp) {
      maxTimestamp = timestamp;
    }
  }

  /** Rows held, deleted ones included. Any thread. */
  public long rowCount() {
    return rows.count();
  }

  /** Off-heap bytes held. */
  public long bytes() {
    return arena.bytes() + nodes.bytes();
  }

  /** Lowest timestamp of an insert or mutation, or Long.MAX_VALUE. */
  public long minTimestamp() {
    return minTimestamp;
  }

  /** Highest timestamp of an insert or mutation, or 0. */
  public long maxTimestamp() {
    return maxTimestamp;
  }

  /** The layouts rows were inserted with; {@link MemRow#layout} is an index into them. */
  public RowFormat format(int layout) {
    return formats[layout];
  }

  /** A cursor before the first row. */
  public Cursor cursor() {
    return new Cursor();
  }

  @Override
  public void close() {
    arena.close();
    nodes.close();
    allocator.close();
  }

  /** Walks rows in key order. */
  public final class Cursor {
    private final OffHeapBTree.Cursor cursor = rows.cursor();

    private Cursor() {}

    /** Moves before the first row whose key is not below the given one. */
    public void seek(byte[] key, int offset, int length) {
      cursor.seek(key, offset, length);
    }

    public boolean next() {
      return cursor.next();
    }

    /** The current row, an address for {@link MemRow}. */
    public long row() {
      return cursor.value();
    }
  }
}
