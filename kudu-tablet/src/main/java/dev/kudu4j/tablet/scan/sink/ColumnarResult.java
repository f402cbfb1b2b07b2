package dev.kudu4j.tablet.scan.sink;

import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.batch.ColumnVector;
import org.apache.arrow.memory.ArrowBuf;
import org.jspecify.annotations.Nullable;

/**
 * A batch's buffers as a response, without a copy: the batch already has the wire's columnar
 * layout.
 *
 * <p>Holds a reference to each buffer; {@link #close} releases them. The batch may be cleared and
 * refilled while the result is open, because {@link ColumnBatch#clear} leaves the shared memory to
 * the result. The batch's allocator must outlive the result.
 */
public final class ColumnarResult implements AutoCloseable {
  private final int rowCount;
  private final ArrowBuf[] data;
  private final @Nullable ArrowBuf[] varlen;
  private final @Nullable ArrowBuf[] presence;
  private boolean closed;

  private ColumnarResult(int rowCount, int columns) {
    this.rowCount = rowCount;
    this.data = new ArrowBuf[columns];
    this.varlen = new ArrowBuf[columns];
    this.presence = new ArrowBuf[columns];
  }

  /** Shares the batch's buffers. */
  public static ColumnarResult of(ColumnBatch batch) {
    int columns = batch.schema().columnCount();
    ColumnarResult result = new ColumnarResult(batch.rowCount(), columns);
    try {
      for (int i = 0; i < columns; i++) {
        ColumnVector column = batch.column(i);
        result.data[i] = column.shareData();
        result.varlen[i] = column.type().isVariableLength() ? column.shareVarlen() : null;
        result.presence[i] = column.isNullable() ? column.sharePresence() : null;
      }
      return result;
    } catch (RuntimeException | Error e) {
      result.close();
      throw e;
    }
  }

  public int rowCount() {
    return rowCount;
  }

  public int columnCount() {
    return data.length;
  }

  /** The fixed-width cells; for text, row count + 1 offsets. Borrowed. */
  public ArrowBuf data(int column) {
    return data[column];
  }

  /** The bytes of text; null for fixed-width columns. Borrowed. */
  public @Nullable ArrowBuf varlen(int column) {
    return varlen[column];
  }

  /** The bitmap of present cells; null if the column is not nullable. Borrowed. */
  public @Nullable ArrowBuf presence(int column) {
    return presence[column];
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    releaseAll(data);
    releaseAll(varlen);
    releaseAll(presence);
  }

  private static void releaseAll(@Nullable ArrowBuf[] buffers) {
    for (ArrowBuf buffer : buffers) {
      if (buffer != null) {
        buffer.getReferenceManager().release();
      }
    }
  }
}
