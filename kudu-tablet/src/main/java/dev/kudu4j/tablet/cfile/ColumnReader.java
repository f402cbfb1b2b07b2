package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.tablet.batch.ColumnVector;
import java.io.IOException;

/**
 * Reads one column of a complete file. Made per scan, cheap, not thread-safe; holds the page it
 * read last. The pages' index and statistics are shared and immutable.
 */
public final class ColumnReader implements AutoCloseable {
  /** The column as it was written: id, type, nullability. */
  public ColumnSchema column() {
    throw new UnsupportedOperationException("stub");
  }

  public long rowCount() {
    throw new UnsupportedOperationException("stub");
  }

  public int pageCount() {
    throw new UnsupportedOperationException("stub");
  }

  public long firstOrdinal(int page) {
    throw new UnsupportedOperationException("stub");
  }

  public int rowCount(int page) {
    throw new UnsupportedOperationException("stub");
  }

  /** NULLs of the page. */
  public int nullCount(int page) {
    throw new UnsupportedOperationException("stub");
  }

  /**
   * Smallest present cell of the page, in cell form, perhaps cut short downwards for text; null
   * when unknown or all NULL.
   */
  public byte[] minimum(int page) {
    throw new UnsupportedOperationException("stub");
  }

  /**
   * Largest present cell; for text perhaps cut and rounded upwards. Null when unknown or all NULL.
   */
  public byte[] maximum(int page) {
    throw new UnsupportedOperationException("stub");
  }

  /** The page that holds the ordinal. */
  public int pageOf(long ordinal) {
    throw new UnsupportedOperationException("stub");
  }

  /**
   * Appends the cells of {@code [firstOrdinal, firstOrdinal + count)} to the vector, over page
   * borders.
   *
   * @throws dev.kudu4j.common.status.KuduException CORRUPTION naming file, offset, expected and
   *     found
   */
  public void read(long firstOrdinal, int count, ColumnVector out) throws IOException {
    throw new UnsupportedOperationException("stub");
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException("stub");
  }
}
