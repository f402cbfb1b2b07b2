package dev.kudu4j.tablet.memrowset;

import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.btree.OffHeapBTree;
import dev.kudu4j.tablet.delta.ChangeLog;
import dev.kudu4j.tablet.delta.Mutation;
import dev.kudu4j.tablet.memory.AddressLog;
import dev.kudu4j.tablet.memory.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Rows that are not yet on disk, ordered by encoded key, each with a chain of mutations, newest
 * first.
 *
 * <p>One writer, any number of readers, no locks. Rows are never removed: a deleted row has a
 * DELETE at the head of its chain. A row records the schema (layout) of its insertion, so a schema
 * change rewrites no rows.
 *
 * <p>A row is complete before it is added to the tree, and a mutation before it is linked to its
 * row. A reader that finds a row or a mutation sees all of it.
 */
public final class MemRowSet implements AutoCloseable {
  private static final int MAX_LAYOUTS = 1 << 16;
  private static final int LOG_CHUNK_BITS = 10;

  private final BufferAllocator allocator;
  private final Arena arena;

  /**
   * The arena of the tree's nodes. It is separate, so that rows inserted in key order are
   * contiguous.
   */
  private final Arena nodes;

  private final OffHeapBTree rows;

  /** The formats by layout. The array is replaced, never modified. */
  private volatile RowFormat[] formats;

  /** The layout of new rows. Writer only. */
  private RowFormat format;

  private int layout;

  private volatile long minTimestamp = Long.MAX_VALUE;
  private volatile long maxTimestamp;

  /** All rows in the order of their insertion, which is that of their timestamps. */
  private final AddressLog arrivals;

  /** All mutations, with their rows. */
  private final ChangeLog changes;

  /** All rows with a mutation; null without indexes. */
  private final @Nullable AddressLog changed;

  /** By the id of a column that is the first one of an index. */
  private final Map<Integer, SortedColumn> sorted = new HashMap<>();

  /** A MemRowSet without indexes. */
  public MemRowSet(BufferAllocator allocator, int chunkBytes, Schema schema) {
    this(allocator, chunkBytes, schema, List.of());
  }

  /**
   * @param allocator shared; the MemRowSet creates a named child of it
   * @param indexes of which readers may look up rows
   */
  public MemRowSet(
      BufferAllocator allocator, int chunkBytes, Schema schema, List<IndexDefinition> indexes) {
    this.allocator = allocator.newChildAllocator("MemRowSets", 0, Long.MAX_VALUE);
    this.arena = new Arena(this.allocator, chunkBytes);
    this.nodes = new Arena(this.allocator, chunkBytes);
    this.rows = new OffHeapBTree(nodes, MemRow.KEY_LENGTH_OFFSET);
    this.format = new RowFormat(schema);
    this.formats = new RowFormat[] {format};
    this.arrivals = new AddressLog(nodes, LOG_CHUNK_BITS);
    this.changes = new ChangeLog(nodes, LOG_CHUNK_BITS);
    this.changed = indexes.isEmpty() ? null : new AddressLog(nodes, LOG_CHUNK_BITS);
    Map<Integer, List<Integer>> byColumn = new HashMap<>();
    for (IndexDefinition index : indexes) {
      byColumn.computeIfAbsent(index.columns().get(0), column -> new ArrayList<>()).add(index.id());
    }
    byColumn.forEach((column, ids) -> addSorted(schema, column, ids));
  }

  private void addSorted(Schema schema, int columnId, List<Integer> indexIds) {
    int column = schema.indexOfId(columnId);
    if (column >= 0) {
      DataType type = schema.column(column).type();
      sorted.put(columnId, new SortedColumn(this, arrivals, indexIds, columnId, type));
    }
  }

  /** Sets the schema of rows inserted from now on. Writer only. */
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
   * The row with the key, deleted or not, as an address for {@link MemRow}; 0 if absent. Any
   * thread.
   */
  public long find(byte[] key, int offset, int length) {
    return rows.get(key, offset, length);
  }

  /**
   * Like {@link #find}, but also remembers the position for a following {@link #insert} of the same
   * key. Writer only.
   */
  public long seek(byte[] key, int offset, int length) {
    return rows.seek(key, offset, length);
  }

  /**
   * Inserts a row whose key the preceding {@link #seek} did not find; returns its address. Writer
   * only.
   */
  public long insert(byte[] key, int offset, int length, CellSource cells, long timestamp) {
    assert isInOrder(timestamp) : timestamp + " is below the timestamp of an earlier row";
    widenTimestamps(timestamp);
    long row = arena.allocate(format.rowBytes(length, cells));
    MemRow.writeHeader(row, timestamp, layout, key, offset, length);
    format.writeBody(row, cells);
    rows.add(key, offset, length, row);
    arrivals.add(row);
    return row;
  }

  private boolean isInOrder(long timestamp) {
    int count = arrivals.count();
    return count == 0 || MemRow.insertTimestamp(arrivals.get(count - 1)) <= timestamp;
  }

  /** Appends a change to the row's chain; returns the mutation's address. Writer only. */
  public long mutate(
      long row, long timestamp, int sequence, byte[] change, int offset, int length) {
    widenTimestamps(timestamp);
    long older = Memory.getLong(row);
    long mutation = Mutation.write(arena, older, timestamp, sequence, change, offset, length);
    if (changed != null && older == 0) {
      changed.add(row);
    }
    MemRow.publishMutation(row, mutation);
    changes.add(row, mutation);
    return mutation;
  }

  /**
   * Widens the range of timestamps. Called before a row or mutation is visible, so that the range
   * always contains the timestamps of everything visible.
   */
  private void widenTimestamps(long timestamp) {
    if (timestamp < minTimestamp) {
      minTimestamp = timestamp;
    }
    if (timestamp > maxTimestamp) {
      maxTimestamp = timestamp;
    }
  }

  /** The number of rows, including deleted ones. Any thread. */
  public long rowCount() {
    return rows.count();
  }

  /** Off-heap bytes in use. */
  public long bytes() {
    return arena.bytes() + nodes.bytes();
  }

  /** The lowest timestamp of an insert or mutation, or Long.MAX_VALUE if there are no rows. */
  public long minTimestamp() {
    return minTimestamp;
  }

  /** The highest timestamp of an insert or mutation, or 0 if there are no rows. */
  public long maxTimestamp() {
    return maxTimestamp;
  }

  /** The format of a layout number, as returned by {@link MemRow#layout}. */
  public RowFormat format(int layout) {
    return formats[layout];
  }

  /** The rows by a column; null if no index begins with the column. Any thread. */
  public @Nullable SortedColumn sorted(int columnId) {
    return sorted.get(columnId);
  }

  /** The number of rows inserted so far. Any thread. */
  public int arrivalCount() {
    return arrivals.count();
  }

  /** A row by its place in the order of insertion. Any thread. */
  public long arrival(int index) {
    return arrivals.get(index);
  }

  /** The place of the first row that was inserted at or after a time. Any thread. */
  public int firstArrivalFrom(long timestamp) {
    int low = 0;
    int high = arrivals.count();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (MemRow.insertTimestamp(arrivals.get(middle)) < timestamp) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** All mutations, with the addresses of their rows. Any thread. */
  public ChangeLog changes() {
    return changes;
  }

  /** The number of rows with a mutation; 0 without indexes. Any thread. */
  public int changedCount() {
    return changed == null ? 0 : changed.count();
  }

  /** A row with a mutation, each once. Any thread. */
  public long changedRow(int index) {
    assert changed != null : "only a MemRowSet with indexes has a list of changed rows";
    return changed.get(index);
  }

  /** A cursor before the first row. */
  public Cursor cursor() {
    return new Cursor();
  }

  @Override
  public void close() {
    sorted.values().forEach(SortedColumn::close);
    arena.close();
    nodes.close();
    allocator.close();
  }

  /** Iterates over rows in key order. */
  public final class Cursor {
    private final OffHeapBTree.Cursor cursor = rows.cursor();

    private Cursor() {}

    /** Moves before the first row whose key is at or above the given one. */
    public void seek(byte[] key, int offset, int length) {
      cursor.seek(key, offset, length);
    }

    public boolean next() {
      return cursor.next();
    }

    /** The current row, as an address for {@link MemRow}. */
    public long row() {
      return cursor.value();
    }
  }
}
