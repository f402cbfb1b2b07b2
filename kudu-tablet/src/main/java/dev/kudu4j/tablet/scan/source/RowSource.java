package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.tablet.batch.ColumnBatch;
import java.io.IOException;

/** Rows of one or more parts of a tablet, in key order within a part. Not thread-safe. */
public interface RowSource extends AutoCloseable {
  /**
   * Reads one more block and appends the rows of it that match; perhaps none.
   *
   * @param maxRows most rows to append; when a block had more, the rest of it is lost, so this is
   *     for the limit of a whole scan
   * @param keys gets the encoded keys of the rows appended; null when nobody wants them
   */
  void readBlock(ColumnBatch out, int maxRows, BatchKeys keys) throws IOException;

  /** Reads one more block and shows its rows that match. Not for ordered or diff scans. */
  default void visitBlock(BlockVisitor visitor) throws IOException {
    throw new IllegalStateException("Rows in order are read, not visited");
  }

  /** Whether no block is left. */
  boolean isExhausted() throws IOException;

  /** A key at or below every key to come. Only for sources that have not been read from. */
  byte[] lowestKey() throws IOException;

  /**
   * Writes the encoded key of the row appended last; leaves the buffer empty when there is none.
   */
  void lastKey(KeyBuffer out) throws IOException;

  /** Rows looked at so far. */
  long rowsScanned();

  /** Bytes of cells decoded from files so far, and of encoded cells that were computed with. */
  long bytesRead();

  @Override
  void close();
}
