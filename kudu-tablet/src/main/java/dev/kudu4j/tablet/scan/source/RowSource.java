package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.tablet.batch.ColumnBatch;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Rows of one or more components of a tablet, in key order within a component. Not thread-safe. */
public interface RowSource extends AutoCloseable {
  /**
   * Reads one more block and appends its matching rows, possibly none.
   *
   * @param maxRows the maximum number of rows to append. If more rows of the block match, the
   *     excess rows are never returned. Therefore the value must be at least the number of rows
   *     that the whole scan still needs
   * @param keys receives the encoded keys of the appended rows; may be null
   */
  void readBlock(ColumnBatch out, int maxRows, @Nullable BatchKeys keys) throws IOException;

  /**
   * Reads one more block and passes its matching rows to the visitor. Not for ordered or diff
   * scans.
   */
  default void visitBlock(BlockVisitor visitor) throws IOException {
    throw new IllegalStateException("An ordered source does not support visitBlock()");
  }

  /** Decides how to read, which includes searches in indexes. Reading does it otherwise. */
  default void prepare() throws IOException {
    isExhausted();
  }

  /** Whether no block is left. */
  boolean isExhausted() throws IOException;

  /** A key at or below every key of the source. May be called only before the first read. */
  byte[] lowestKey() throws IOException;

  /** Writes the encoded key of the last appended row; leaves the buffer empty if there is none. */
  void lastKey(KeyBuffer out) throws IOException;

  /** The number of rows read. */
  long rowsScanned();

  /**
   * Bytes of cells decoded from files, and of encoded cells that were evaluated without decoding.
   */
  long bytesRead();

  @Override
  void close();
}
