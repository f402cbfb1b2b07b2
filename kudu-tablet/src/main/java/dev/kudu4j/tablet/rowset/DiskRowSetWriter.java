package dev.kudu4j.tablet.rowset;

import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.env.TabletEnvironment;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Writes the base data of one rowset, rows in ascending key order. {@link #finish} makes it
 * durable; {@link #close} without it leaves garbage that nothing names.
 */
public final class DiskRowSetWriter implements AutoCloseable {
  /**
   * @param schema columns with ids, in the table's order
   * @param expectedRows sizes the Bloom filter; an estimate
   */
  public DiskRowSetWriter(
      TabletEnvironment environment, Path file, Schema schema, long expectedRows)
      throws IOException {
    throw new UnsupportedOperationException("stub");
  }

  /**
   * Appends rows.
   *
   * @param batch the rows; borrowed
   * @param keyAddresses where each row's encoded key lies
   * @param keyLengths its length
   * @param insertTimestamps the hybrid time of each row's insertion
   */
  public void append(
      ColumnBatch batch, long[] keyAddresses, int[] keyLengths, long[] insertTimestamps)
      throws IOException {
    throw new UnsupportedOperationException("stub");
  }

  public long rowCount() {
    throw new UnsupportedOperationException("stub");
  }

  /** About how many bytes the file will have: decides when to roll. */
  public long estimatedBytes() {
    throw new UnsupportedOperationException("stub");
  }

  /** Writes indexes and footer, syncs, and closes the file. */
  public void finish() throws IOException {
    throw new UnsupportedOperationException("stub");
  }

  @Override
  public void close() throws IOException {
    throw new UnsupportedOperationException("stub");
  }
}
