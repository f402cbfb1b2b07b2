package dev.kudu4j.tablet.derived;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.KeyEncoder;
import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.feed.ChangeBatch;
import dev.kudu4j.tablet.feed.ChangeKind;
import dev.kudu4j.tablet.feed.FeedPosition;
import dev.kudu4j.tablet.log.FedRows;
import dev.kudu4j.tablet.log.WriteRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns changes of base rows into rows of a derived tablet. Since each base row has at most one
 * derived row, a change becomes a deletion of the derived row before it, if that has another key or
 * none comes after it, and an upsert of the one after it.
 *
 * <p>A base row has no derived row if a column of the key is NULL, or if the encoded key would be
 * longer than the derived tablet takes. That depends on the cells of the row alone, so a deletion
 * finds what an upsert has written. Not thread-safe.
 */
public final class DerivedRows {
  private static final int NO_ROW = -1;

  /** Decides which rows are wanted. */
  public interface Filter {
    /** Accepts every row. */
    Filter ALL = (rows, row) -> true;

    /**
     * @param rows with the columns of {@link DerivedLayout#projectionOf}, none of whose key columns
     *     is NULL
     */
    boolean accepts(ColumnBatch rows, int row);
  }

  private final DerivedLayout layout;
  private final Filter filter;
  private final int schemaVersion;
  private final Limits limits;
  private final RowOperationsWriter writer;
  private final KeyBuffer key = new KeyBuffer();
  private byte[] cell = new byte[64];
  private long tooLong;

  /**
   * What a derived tablet takes.
   *
   * @param keyBytes the longest encoded key
   * @param partBytes rows of one timestamp are split when they take about as much
   */
  public record Limits(int keyBytes, int partBytes) {}

  /**
   * @param schemaVersion of the derived tablet
   */
  public DerivedRows(DerivedLayout layout, int schemaVersion, Limits limits) {
    this(layout, schemaVersion, limits, Filter.ALL);
  }

  /**
   * @param schemaVersion of the derived tablet
   * @param filter of its rows
   */
  public DerivedRows(DerivedLayout layout, int schemaVersion, Limits limits, Filter filter) {
    this.layout = layout;
    this.filter = filter;
    this.schemaVersion = schemaVersion;
    this.limits = limits;
    this.writer = new RowOperationsWriter(layout.rows());
  }

  /**
   * The rows of changes, by timestamp.
   *
   * @param changes with the columns of {@link DerivedLayout#projectionOf}
   */
  public List<FeedMerge.Part> of(ChangeBatch changes) {
    List<FeedMerge.Part> parts = new ArrayList<>();
    ColumnBatch rows = changes.rows();
    int row = 0;
    for (int i = 0; i < changes.count(); i++) {
      ChangeKind kind = changes.kind(i);
      long timestamp = changes.timestamp(i);
      int before = kind == ChangeKind.INSERT ? NO_ROW : row++;
      int after = kind == ChangeKind.DELETE ? NO_ROW : row++;
      write(rows, before, after);
      boolean isLast = i + 1 == changes.count() || changes.timestamp(i + 1) != timestamp;
      if (isLast) {
        takeLast(timestamp, changes.next(), parts);
      } else if (isFull()) {
        parts.add(take(behind(rows, after == NO_ROW ? before : after, timestamp)));
      }
    }
    return parts;
  }

  /**
   * The rows of base rows that exist, in the order of their keys, as if all were inserted at one
   * time.
   *
   * @param rows with the columns of {@link DerivedLayout#projectionOf}
   * @param next the position behind the rows
   */
  public List<FeedMerge.Part> of(ColumnBatch rows, long timestamp, FeedPosition next) {
    List<FeedMerge.Part> parts = new ArrayList<>();
    for (int row = 0; row < rows.rowCount(); row++) {
      write(rows, NO_ROW, row);
      if (isFull() && row + 1 < rows.rowCount()) {
        parts.add(take(behind(rows, row, timestamp)));
      }
    }
    takeLast(timestamp, next, parts);
    return parts;
  }

  private boolean isFull() {
    return writer.rowsLength() + writer.indirectLength() >= limits.partBytes;
  }

  /** The position behind the change of a row. */
  private FeedPosition behind(ColumnBatch rows, int row, long timestamp) {
    key.clear();
    int last = layout.baseKeys().size() - 1;
    for (int i = 0; i <= last; i++) {
      int column = layout.baseKeys().get(i);
      int length = read(rows.column(column), row);
      KeyEncoder.appendCell(layout.schema().column(column).type(), cell, 0, length, i == last, key);
    }
    return new FeedPosition(timestamp, key.toByteArray());
  }

  /** Takes the last rows of a timestamp, if there are any. */
  private void takeLast(long timestamp, FeedPosition next, List<FeedMerge.Part> parts) {
    if (writer.rowCount() > 0) {
      boolean hasMore = timestamp == next.timestamp();
      parts.add(take(hasMore ? next : FeedPosition.at(timestamp + 1), timestamp));
    }
  }

  private FeedMerge.Part take(FeedPosition behind) {
    return take(behind, behind.timestamp());
  }

  private FeedMerge.Part take(FeedPosition behind, long timestamp) {
    WriteRequest rows = new WriteRequest(null, schemaVersion, layout.columnIds(), writer.copy());
    writer.reset();
    return new FeedMerge.Part(new FedRows.Group(timestamp, rows), behind);
  }

  /** How often a row was left out because its key is too long. */
  public long tooLong() {
    return tooLong;
  }

  private void write(ColumnBatch rows, int before, int after) {
    boolean was = before != NO_ROW && hasKey(rows, before) && filter.accepts(rows, before);
    boolean is = after != NO_ROW && hasKey(rows, after) && filter.accepts(rows, after);
    if (was && !(is && keysAreEqual(rows, before, after))) {
      writer.begin(OperationType.DELETE);
      copy(rows, before, layout.schema().keyColumnCount());
    }
    if (is) {
      writer.begin(OperationType.UPSERT);
      copy(rows, after, layout.schema().columnCount());
    }
  }

  private boolean hasKey(ColumnBatch rows, int row) {
    for (int column : layout.nullableKeys()) {
      if (rows.column(column).isNull(row)) {
        return false;
      }
    }
    return keyFits(rows, row);
  }

  private boolean keyFits(ColumnBatch rows, int row) {
    int keys = layout.schema().keyColumnCount();
    long most = 0; // text is escaped and terminated
    for (int i = 0; i < keys; i++) {
      most += 2L * rows.column(i).cellLength(row) + 2;
    }
    boolean fits = most <= limits.keyBytes || encodedKeyBytes(rows, row) <= limits.keyBytes;
    if (!fits) {
      tooLong++;
    }
    return fits;
  }

  private int encodedKeyBytes(ColumnBatch rows, int row) {
    key.clear();
    int last = layout.schema().keyColumnCount() - 1;
    for (int i = 0; i <= last; i++) {
      int length = read(rows.column(i), row);
      KeyEncoder.appendCell(layout.schema().column(i).type(), cell, 0, length, i == last, key);
    }
    return key.length();
  }

  private boolean keysAreEqual(ColumnBatch rows, int one, int other) {
    for (int i = 0; i < layout.schema().keyColumnCount(); i++) {
      ColumnVector column = rows.column(i);
      if (Memory.compare(
              column.cellAddress(one),
              column.cellLength(one),
              column.cellAddress(other),
              column.cellLength(other))
          != 0) {
        return false;
      }
    }
    return true;
  }

  /** Writes the first columns of a row, and ends the operation. */
  private void copy(ColumnBatch rows, int row, int columns) {
    for (int i = 0; i < columns; i++) {
      ColumnVector column = rows.column(i);
      if (column.isNull(row)) {
        writer.setNull(i);
      } else {
        int length = read(column, row);
        writer.setCell(i, cell, 0, length);
      }
    }
    writer.end();
  }

  /** Copies a cell to {@link #cell}; returns its length. */
  private int read(ColumnVector column, int row) {
    int length = column.cellLength(row);
    if (length > cell.length) {
      cell = new byte[Math.max(length, 2 * cell.length)];
    }
    Memory.copy(column.cellAddress(row), cell, 0, length);
    return length;
  }
}
