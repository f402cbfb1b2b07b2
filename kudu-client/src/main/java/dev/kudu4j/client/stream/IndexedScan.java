package dev.kudu4j.client.stream;

import dev.kudu4j.client.cluster.TableTablets;
import dev.kudu4j.client.index.IndexSource;
import dev.kudu4j.client.scan.ScanQuery;
import java.util.Objects;

/**
 * What a scan of an index reads, and the scan of the indexed table that is made if the index cannot
 * be read. A piece of such a scan has no other one: no part of the table has the same rows.
 * Thread-safe.
 */
public final class IndexedScan {
  /** How long an index may take to have a snapshot and the first rows, before the table is read. */
  public static final long WAIT_MILLIS = 1_000;

  private final IndexSource index;
  private final TableTablets tablets;
  private final ScanQuery query; // null if the table cannot be read instead
  private final Runnable onFailure;
  private volatile boolean failed;

  /**
   * @param tablets of the indexed table
   * @param query of the indexed table
   * @param onFailure runs if the index cannot be read
   */
  public IndexedScan(IndexSource index, TableTablets tablets, ScanQuery query, Runnable onFailure) {
    this.index = index;
    this.tablets = Objects.requireNonNull(tablets, "tablets");
    this.query = Objects.requireNonNull(query, "query");
    this.onFailure = onFailure;
  }

  private IndexedScan(IndexSource index) {
    this.index = index;
    this.tablets = null;
    this.query = null;
    this.onFailure = () -> {};
  }

  /** Of a piece. */
  static IndexedScan withoutTable(IndexSource index) {
    return new IndexedScan(index);
  }

  public IndexSource index() {
    return index;
  }

  /** Like {@link #WAIT_MILLIS}, so that the table can be read within the timeout of a request. */
  static long waitMillis(long timeoutMillis) {
    return Math.max(1, Math.min(WAIT_MILLIS, timeoutMillis / 2));
  }

  /** Whether the table can be read instead. */
  boolean hasTable() {
    return query != null;
  }

  TableTablets tablets() {
    return tablets;
  }

  ScanQuery query() {
    return query;
  }

  /** Notes that the index cannot be read. */
  public void fail() {
    failed = true;
    onFailure.run();
  }

  /** Whether the table has been read, because the index could not be. */
  public boolean hasFailed() {
    return failed;
  }
}
