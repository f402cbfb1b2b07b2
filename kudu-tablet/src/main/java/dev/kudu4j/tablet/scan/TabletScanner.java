package dev.kudu4j.tablet.scan;

import dev.kudu4j.tablet.batch.ColumnBatch;
import java.io.IOException;

/**
 * One scan of one tablet at one snapshot. Pins the rowsets it reads until {@link #close}. Not
 * thread-safe; may wander between threads from call to call.
 */
public interface TabletScanner extends AutoCloseable {
  /**
   * Appends the next rows to the batch: at least one block's rows, and no more blocks once the
   * batch weighs {@code softLimitBytes}. A scan that finds few rows gives up after half a second,
   * perhaps without any, and is to be asked again: the answer counts, not the rows.
   *
   * @return whether there may be more rows
   */
  boolean next(ColumnBatch out, long softLimitBytes) throws IOException;

  /**
   * The encoded key of the last row that was appended, or null when none was or it was not asked
   * for.
   */
  byte[] lastKey();

  /** Rows looked at so far, and bytes read from files: for metrics. */
  long rowsScanned();

  long bytesRead();

  @Override
  void close();
}
