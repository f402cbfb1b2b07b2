package dev.kudu4j.client.stream;

import dev.kudu4j.client.cluster.Cluster;
import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.TableTablets;
import dev.kudu4j.client.index.IndexSource;
import dev.kudu4j.client.scan.BatchDecoder;
import dev.kudu4j.client.scan.ScanQuery;
import dev.kudu4j.client.scan.ScanSplitter;
import dev.kudu4j.client.scan.TableScan;
import dev.kudu4j.client.scan.TabletReports;
import java.util.Optional;

/**
 * A checked query and the table that it reads: everything that a scan needs to start. Immutable.
 *
 * @param prefetchFirst whether the second batch is fetched while the caller reads the first
 * @param keepAlivePeriodMillis how often an idle scanner is kept alive at its server; 0 for never
 * @param reports receives what servers report of all scans of this; null to ask for no report
 * @param instead the scan of the indexed table, if this is one of the table of an index; null
 *     otherwise
 */
public record PreparedScan(
    Cluster cluster,
    TableTablets tablets,
    ScanQuery query,
    boolean prefetchFirst,
    long keepAlivePeriodMillis,
    TabletReports reports,
    IndexedScan instead) {

  public PreparedScan(
      Cluster cluster,
      TableTablets tablets,
      ScanQuery query,
      boolean prefetchFirst,
      long keepAlivePeriodMillis,
      TabletReports reports) {
    this(cluster, tablets, query, prefetchFirst, keepAlivePeriodMillis, reports, null);
  }

  /** The global index that is read instead of the table; empty if the table is read. */
  public Optional<String> index() {
    return instead == null || instead.hasFailed()
        ? Optional.empty()
        : Optional.of(instead.index().name());
  }

  /** This scan, as a piece of a scan of an index: its bounds are those of the index's table. */
  public PreparedScan ofIndex(IndexSource index) {
    return new PreparedScan(
        cluster,
        index.tablets(),
        query.ofIndex(index.table(), index.partitions(), query.readMode()),
        prefetchFirst,
        keepAlivePeriodMillis,
        reports,
        IndexedScan.withoutTable(index));
  }

  /** This scan at a snapshot. */
  public PreparedScan at(long snapshot) {
    return new PreparedScan(
        cluster,
        tablets,
        query.at(snapshot),
        prefetchFirst,
        keepAlivePeriodMillis,
        reports,
        instead);
  }

  /** Whether an index is read, and the table can be read instead. */
  public boolean isOfIndexOrTable() {
    return instead != null && instead.hasTable();
  }

  /** The scan of the indexed table, if this is one of an index that has it, else this. */
  public PreparedScan ofTable() {
    return !isOfIndexOrTable()
        ? this
        : new PreparedScan(
            cluster,
            instead.tablets(),
            instead.query(),
            prefetchFirst,
            keepAlivePeriodMillis,
            reports);
  }

  /** The batches of the whole scan or of a part of it. */
  public <B> BatchStream<B> batches(ScanQuery part, BatchDecoder<B> decoder) {
    return stream(scan(part, decoder), decoder);
  }

  /** The batches of another scan, fetched ahead and kept alive like those of this. */
  <B> BatchStream<B> stream(TableScan<B> other, BatchDecoder<B> decoder) {
    return new BatchStream<>(cluster, other, decoder, prefetchFirst, keepAlivePeriodMillis);
  }

  /** Finds the tablets of the scan and splits it into pieces. */
  public ScanSplitter splitter(Deadline deadline) {
    return new ScanSplitter(cluster, tablets, query, deadline);
  }

  public <B> TableScan<B> scan(ScanQuery part, BatchDecoder<B> decoder) {
    TableScan<B> scan = new TableScan<>(cluster, tablets, part, decoder, reports);
    return instead == null ? scan : scan.insteadOfTable();
  }
}
