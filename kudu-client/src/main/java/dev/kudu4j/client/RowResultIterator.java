package dev.kudu4j.client;

import dev.kudu4j.Schema;
import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.FetchedBatch;
import dev.kudu4j.client.scan.KeyMerge;
import dev.kudu4j.client.scan.RowBatch;
import dev.kudu4j.client.scan.RowwiseRows;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Iterates over the rows of one batch, once. When rows are reused, {@link #next} returns an object
 * that it has returned before, moved to another row.
 */
@SuppressWarnings("IterableAndIterator") // Apache Kudu's client implements both
public abstract class RowResultIterator extends KuduRpcResponse
    implements Iterator<RowResult>, Iterable<RowResult> {
  private final Schema schema;
  private final int rowCount;
  private int next;

  RowResultIterator(long elapsedMillis, String serverId, Schema schema, int rowCount) {
    super(elapsedMillis, serverId);
    this.schema = schema;
    this.rowCount = rowCount;
  }

  /** An iterator without rows. */
  public static RowResultIterator empty() {
    dev.kudu4j.common.schema.Schema none = new dev.kudu4j.common.schema.Schema(List.of());
    RowwiseRows rows = new RowwiseRows(0, new byte[0], new byte[0]);
    return of(rows, Schema.of(none), new CellLayout(none), false, 0, null);
  }

  /**
   * The rows of a server's row-wise response, for callers that send their own requests. The
   * iterator reuses one row object.
   *
   * @param rows the rows, of {@link Schema#getRowSize} bytes each
   * @param indirectData the variable-length cells, which the rows point to by offset and length;
   *     may be empty
   */
  public static RowResultIterator ofReceived(
      int rowCount, byte[] rows, byte[] indirectData, Schema schema) {
    CellLayout layout = new CellLayout(schema.toCommon());
    return of(new RowwiseRows(rowCount, rows, indirectData), schema, layout, true, 0, null);
  }

  /**
   * @param schema the columns that the user sees, which are the first columns of {@code layout}
   */
  static RowResultIterator of(
      RowBatch rows,
      Schema schema,
      CellLayout layout,
      boolean reuse,
      long elapsedMillis,
      String serverId) {
    return of(rows, rows.count(), schema, layout, reuse, elapsedMillis, serverId);
  }

  /**
   * @param count number of rows to return, from the first
   */
  static RowResultIterator of(
      FetchedBatch<RowBatch> fetched, int count, Schema schema, CellLayout layout) {
    return of(
        fetched.rows(), count, schema, layout, false, fetched.elapsedMillis(), fetched.serverId());
  }

  private static RowResultIterator of(
      RowBatch rows,
      int count,
      Schema schema,
      CellLayout layout,
      boolean reuse,
      long elapsedMillis,
      String serverId) {
    int[] kinds = RowResult.kinds(layout, schema.getColumnCount());
    RowResult reused = reuse ? RowResult.of(rows, schema, layout, kinds) : null;
    return new RowResultIterator(elapsedMillis, serverId, schema, count) {
      @Override
      RowResult row(int index) {
        RowResult row = reused == null ? RowResult.of(rows, schema, layout, kinds) : reused;
        row.moveTo(index);
        return row;
      }
    };
  }

  /**
   * Rows from the batches of several sources. When rows are reused, each source has one row object.
   */
  static RowResultIterator of(
      KeyMerge.Merged rows, Schema schema, CellLayout layout, boolean reuse) {
    int[] kinds = RowResult.kinds(layout, schema.getColumnCount());
    int[] nextRows = rows.firstRows().clone();
    RowResult[] reused = reuse ? new RowResult[nextRows.length] : null;
    return new RowResultIterator(0, null, schema, rows.count()) {
      @Override
      RowResult row(int index) {
        int source = rows.sources()[index];
        RowResult row = reused == null ? null : reused[source];
        if (row == null) {
          row = RowResult.of(rows.batches()[source], schema, layout, kinds);
          if (reused != null) {
            reused[source] = row;
          }
        }
        row.moveTo(nextRows[source]++);
        return row;
      }
    };
  }

  /** The row at an index, which increases by one with each call. */
  abstract RowResult row(int index);

  public int getNumRows() {
    return rowCount;
  }

  Schema schema() {
    return schema;
  }

  @Override
  public boolean hasNext() {
    return next < rowCount;
  }

  @Override
  public RowResult next() {
    if (next >= rowCount) {
      throw new NoSuchElementException();
    }
    return row(next++);
  }

  @Override
  public void remove() {
    throw new UnsupportedOperationException();
  }

  /** This iterator. */
  @Override
  public Iterator<RowResult> iterator() {
    return this;
  }

  @Override
  public String toString() {
    return "RowResultIterator for " + rowCount + " rows";
  }
}
