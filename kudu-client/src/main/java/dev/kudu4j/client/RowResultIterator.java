package dev.kudu4j.client;

import dev.kudu4j.Schema;
import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.ColumnarRows;
import dev.kudu4j.client.scan.RowwiseRows;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * The rows of one batch. Goes through them once. When rows are reused, {@link #next} gives the same
 * object each time, which is then at another row.
 */
public abstract class RowResultIterator extends KuduRpcResponse
    implements Iterator<RowResult>, Iterable<RowResult> {
  private final Schema schema;
  private final int rowCount;
  private final RowResult reused;
  private int next;

  RowResultIterator(
      long elapsedMillis, String serverId, Schema schema, int rowCount, RowResult reused) {
    super(elapsedMillis, serverId);
    this.schema = schema;
    this.rowCount = rowCount;
    this.reused = reused;
  }

  /** An iterator without rows. */
  public static RowResultIterator empty() {
    return of(
        new RowwiseRows(0, new byte[0], new byte[0]),
        Schema.of(new dev.kudu4j.common.schema.Schema(List.of())),
        null,
        false,
        0,
        null);
  }

  static RowResultIterator of(
      RowwiseRows rows,
      Schema schema,
      CellLayout layout,
      boolean reuse,
      long elapsedMillis,
      String serverId) {
    RowResult row = reuse ? new RowwiseRowResult(schema, layout, rows) : null;
    return new RowResultIterator(elapsedMillis, serverId, schema, rows.count(), row) {
      @Override
      RowResult newRow() {
        return new RowwiseRowResult(schema, layout, rows);
      }
    };
  }

  static RowResultIterator of(
      ColumnarRows rows,
      Schema schema,
      CellLayout layout,
      boolean reuse,
      long elapsedMillis,
      String serverId) {
    RowResult row = reuse ? new ColumnarRowResult(schema, layout, rows) : null;
    return new RowResultIterator(elapsedMillis, serverId, schema, rows.count(), row) {
      @Override
      RowResult newRow() {
        return new ColumnarRowResult(schema, layout, rows);
      }
    };
  }

  abstract RowResult newRow();

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
    RowResult row = reused == null ? newRow() : reused;
    row.moveTo(next++);
    return row;
  }

  @Override
  public void remove() {
    throw new UnsupportedOperationException();
  }

  /** This very iterator. */
  @Override
  public Iterator<RowResult> iterator() {
    return this;
  }

  @Override
  public String toString() {
    return "RowResultIterator for " + rowCount + " rows";
  }
}
