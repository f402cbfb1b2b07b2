package dev.kudu4j.client.stream;

import dev.kudu4j.client.cluster.TableTablets;
import dev.kudu4j.client.scan.ScanQuery;

/**
 * The scan of an indexed table that is made if the table of its index cannot be read. Thread-safe.
 */
public final class IndexedScan {
  private final String index;
  private final TableTablets tablets;
  private final ScanQuery query;
  private final Runnable onFailure;
  private volatile boolean failed;

  /**
   * @param index the name of the index
   * @param tablets of the indexed table
   * @param query of the indexed table
   * @param onFailure runs if the index cannot be read
   */
  public IndexedScan(String index, TableTablets tablets, ScanQuery query, Runnable onFailure) {
    this.index = index;
    this.tablets = tablets;
    this.query = query;
    this.onFailure = onFailure;
  }

  /** The name of the index. */
  public String index() {
    return index;
  }

  public TableTablets tablets() {
    return tablets;
  }

  public ScanQuery query() {
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
