package dev.kudu4j.client.scan;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.kudu4j.client.cluster.RemoteReplica;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.common.proto.tserver.IndexReportPB;
import dev.kudu4j.common.proto.tserver.ResourceMetricsPB;
import dev.kudu4j.common.proto.tserver.ScanReportPB;
import dev.kudu4j.common.proto.tserver.ScanResponsePB;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects what servers report of a scan, by tablet. A tablet that is read several times, in parts
 * or after a fault, has one report: the sum. Thread-safe.
 */
public final class TabletReports {
  /**
   * The sum of the reports of one tablet.
   *
   * @param server the last that answered
   * @param rows received from the server, before filters of this client
   * @param metrics the metrics of all responses
   * @param report null if the server sends none, as those of Apache Kudu
   */
  public record TabletReport(
      RemoteTablet tablet,
      RemoteReplica server,
      long rows,
      ResourceMetricsPB metrics,
      ScanReportPB report) {}

  @GuardedBy("this")
  private final Map<String, TabletReport> tablets = new LinkedHashMap<>();

  /** Adds a response of a server. */
  synchronized void add(RemoteTablet tablet, RemoteReplica server, ScanResponsePB answer) {
    TabletReport before = tablets.get(tablet.tabletId());
    ScanReportPB report = before == null ? null : before.report();
    if (answer.hasReport()) {
      report = report == null ? answer.getReport() : sum(report, answer.getReport());
    }
    ResourceMetricsPB metrics =
        before == null ? ResourceMetricsPB.getDefaultInstance() : before.metrics();
    long rows =
        answer.hasColumnarData()
            ? answer.getColumnarData().getNumRows()
            : answer.getData().getNumRows();
    tablets.put(
        tablet.tabletId(),
        new TabletReport(
            tablet,
            server,
            (before == null ? 0 : before.rows()) + rows,
            sum(metrics, answer.getResourceMetrics()),
            report));
  }

  /** The reports so far, in the order in which the tablets were first read. */
  public synchronized List<TabletReport> all() {
    return List.copyOf(tablets.values());
  }

  /** The sum of two reports. */
  public static ScanReportPB sum(ScanReportPB a, ScanReportPB b) {
    Map<String, IndexReportPB> indexes = new LinkedHashMap<>();
    a.getIndexesList().forEach(index -> indexes.put(index.getName(), index));
    b.getIndexesList().forEach(index -> indexes.merge(index.getName(), index, TabletReports::sum));
    ScanReportPB.Builder sum = a.toBuilder().clearIndexes();
    add(sum, b.toBuilder().clearIndexes().buildPartial());
    return sum.addAllIndexes(indexes.values()).build();
  }

  private static IndexReportPB sum(IndexReportPB a, IndexReportPB b) {
    IndexReportPB.Builder sum = a.toBuilder().clearName();
    add(sum, b.toBuilder().clearName().buildPartial());
    return sum.setName(a.getName()).build();
  }

  private static ResourceMetricsPB sum(ResourceMetricsPB a, ResourceMetricsPB b) {
    return (ResourceMetricsPB) add(a.toBuilder(), b).build();
  }

  /** Adds a message of which every field is a counter. */
  private static Message.Builder add(Message.Builder to, Message counters) {
    for (Map.Entry<FieldDescriptor, Object> counter : counters.getAllFields().entrySet()) {
      FieldDescriptor field = counter.getKey();
      to.setField(field, (long) to.getField(field) + (long) counter.getValue());
    }
    return to;
  }
}
