package dev.kudu4j.client;

import dev.kudu4j.client.scan.TabletReports;
import dev.kudu4j.client.stream.PreparedScan;
import dev.kudu4j.common.proto.tserver.IndexReportPB;
import dev.kudu4j.common.proto.tserver.ScanReportPB;
import java.util.List;
import java.util.Optional;

/**
 * How servers have run a scan: what they have read, skipped and answered from statistics, by
 * tablet. A scanner has it if its builder {@linkplain AbstractKuduScannerBuilder#report requests}
 * it.
 *
 * <p>Servers of Kudu4j send the counters of a tablet with its last batch. Servers of Apache Kudu
 * send none; only the rows and the {@link ResourceMetrics} of their tablets are known.
 */
public final class ScanReport {
  private final List<Tablet> tablets;
  private final Tablet total;
  private final Optional<String> index;

  private ScanReport(TabletReports reports, Optional<String> index) {
    this.index = index;
    this.tablets = reports.all().stream().map(Tablet::new).toList();
    this.total = new Tablet(tablets);
  }

  static ScanReport of(PreparedScan scan) {
    return of(scan, scan.index());
  }

  /**
   * @param index the names of the indexes that were read instead of the table
   */
  static ScanReport of(PreparedScan scan, Optional<String> index) {
    if (scan.reports() == null) {
      throw new IllegalStateException("The scan has no report; call report(true) on its builder");
    }
    return new ScanReport(scan.reports(), index);
  }

  /** The tablets that were read, in the order of their first responses. */
  public List<Tablet> getTablets() {
    return tablets;
  }

  /**
   * The {@linkplain KuduIndex#isGlobal global} index that was read instead of the table, or
   * several, with commas between; the tablets are those of the indexes then.
   */
  public Optional<String> getIndex() {
    return index;
  }

  /** The sum of all tablets. */
  public Tablet getTotal() {
    return total;
  }

  @Override
  public String toString() {
    return tablets.toString();
  }

  /** The report of the scan of one tablet, or of all tablets. */
  public static final class Tablet {
    private final String tabletId;
    private final String server;
    private final long rows;
    private final ResourceMetrics metrics = new ResourceMetrics();
    private final ScanReportPB counters;

    private Tablet(TabletReports.TabletReport report) {
      this.tabletId = report.tablet().tabletId();
      this.server = report.server().host() + ":" + report.server().port();
      this.rows = report.rows();
      this.metrics.add(report.metrics());
      this.counters = report.report();
    }

    private Tablet(List<Tablet> parts) {
      this.tabletId = "";
      this.server = "";
      long received = 0;
      ScanReportPB sum = ScanReportPB.getDefaultInstance();
      for (Tablet part : parts) {
        received += part.rows;
        part.metrics.get().forEach(metrics::increment);
        sum = sum == null || part.counters == null ? null : TabletReports.sum(sum, part.counters);
      }
      this.rows = received;
      this.counters = sum;
    }

    /** Empty for the sum of all tablets. */
    public String getTabletId() {
      return tabletId;
    }

    /** Host and port of the server that was read last; empty for the sum of all tablets. */
    public String getServer() {
      return server;
    }

    /** The rows, or groups, that were received, before this client filters or merges them. */
    public long getRows() {
      return rows;
    }

    /** The metrics that the server reported with the batches. */
    public ResourceMetrics getResourceMetrics() {
      return metrics;
    }

    /**
     * Whether the server has sent its counters: not if it is one of Apache Kudu, nor before the
     * last batch of the tablet. Those of all tablets together are known if those of each are.
     */
    public boolean hasCounters() {
      return counters != null;
    }

    /**
     * @throws IllegalStateException if {@link #hasCounters} is false
     */
    public long get(ScanCounter counter) {
      if (counters == null) {
        throw new IllegalStateException(
            "The server has sent no counters of the scan"
                + (tabletId.isEmpty() ? "" : " of tablet " + tabletId)
                + "; check hasCounters() first");
      }
      return counter.of(counters);
    }

    /**
     * The indexes on filtered columns; empty if there are none, or {@link #hasCounters} is false.
     */
    public List<Index> getIndexes() {
      return counters == null
          ? List.of()
          : counters.getIndexesList().stream().map(Index::new).toList();
    }

    /**
     * The estimated time, in nanoseconds on one core, to read without an index those parts of the
     * tablet that have one; 0 if {@link #hasCounters} is false.
     */
    public long getEstimatedScanNanos() {
      return counters == null ? 0 : counters.getScanNanos();
    }

    @Override
    public String toString() {
      return tabletId
          + " on "
          + server
          + ": "
          + rows
          + " rows"
          + (counters == null ? "" : ", " + counters.toString().trim().replace('\n', ','));
    }
  }

  /** The use of an index by a scan, and the estimates on which the choice was based. */
  public static final class Index {
    private final IndexReportPB report;

    private Index(IndexReportPB report) {
      this.report = report;
    }

    public String getName() {
      return report.getName();
    }

    /** The number of rowsets, on disk and in memory, in which the index could be used. */
    public long getStores() {
      return report.getStores();
    }

    /** The number of rowsets, on disk and in memory, in which the index was used. */
    public long getUsedStores() {
      return report.getStoresUsed();
    }

    /** The estimated number of rows that match the filters on its columns. */
    public long getEstimatedRows() {
      return report.getRows();
    }

    /** The estimated time to read these rows with the index, in nanoseconds on one core. */
    public long getEstimatedNanos() {
      return report.getNanos();
    }

    @Override
    public String toString() {
      return report.toString().trim().replace('\n', ',');
    }
  }
}
