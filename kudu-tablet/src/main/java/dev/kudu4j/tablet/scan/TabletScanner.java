package dev.kudu4j.tablet.scan;

import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.scan.source.ScanWork;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One scan of one tablet at one snapshot. Pins the rowsets that it reads until {@link #close}. Not
 * thread-safe; successive calls may come from different threads.
 */
public interface TabletScanner extends AutoCloseable {
  /**
   * Appends the next rows to the batch. Reads at least one block, and stops once the batch exceeds
   * {@code softLimitBytes}. A scan that finds few rows returns after half a second, possibly
   * without rows. The return value shows the end of the scan; an empty batch does not.
   *
   * @return whether there may be more rows
   */
  boolean next(ColumnBatch out, long softLimitBytes) throws IOException;

  /**
   * Decides how to read all parts of the tablet, without reading rows. {@link #work} then has the
   * choices. Optional; not after a call of {@link #next}.
   */
  default void prepare() throws IOException {}

  /**
   * The encoded key of the last appended row; null if no row was appended or the scan did not
   * request the key.
   */
  byte @Nullable [] lastKey();

  /** Rows read so far, for metrics. */
  long rowsScanned();

  long bytesRead();

  /**
   * The counts of what the scan has read and skipped so far. Not to be read during {@link #next}.
   */
  ScanWork work();

  @Override
  void close();
}
