package dev.kudu4j.server.maintenance;

import dev.kudu4j.tablet.TabletStatistics;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * Metrics of the data layout that maintenance keeps bounded: sums over all tablets, and the maximum
 * over the tablets for figures that affect the reads of one tablet.
 */
public final class LayoutMeters {
  private final Supplier<? extends Collection<? extends MaintainedTablet>> tablets;

  /**
   * @param tablets returns all tablets of the server; must be cheap
   */
  public LayoutMeters(Supplier<? extends Collection<? extends MaintainedTablet>> tablets) {
    this.tablets = tablets;
  }

  /** Registers the metrics. Their values are computed for each request. */
  public void publish(MeterRegistry target) {
    sum("kudu.rowsets", "", TabletStatistics::rowSetCount, target);
    sum("kudu.delta.files", "", TabletStatistics::deltaFileCount, target);
    sum("kudu.memrowset", "bytes", TabletStatistics::memRowSetBytes, target);
    sum("kudu.deltamemstore", "bytes", TabletStatistics::deltaMemStoreBytes, target);
    sum("kudu.data.files", "bytes", TabletStatistics::onDiskBytes, target);
    sum("kudu.index.files.missing", "", TabletStatistics::missingIndexFiles, target);
    highest("kudu.rowset.height", TabletStatistics::averageHeight, target);
    highest("kudu.rowset.delta.files", LayoutMeters::deltaFilesPerRowSet, target);
  }

  private static double deltaFilesPerRowSet(TabletStatistics tablet) {
    return (double) tablet.deltaFileCount() / Math.max(1, tablet.rowSetCount());
  }

  private void sum(
      String name, String unit, ToDoubleFunction<TabletStatistics> value, MeterRegistry target) {
    Gauge.builder(name, () -> values(value).sum())
        .baseUnit(unit.isEmpty() ? null : unit)
        .register(target);
  }

  private void highest(
      String name, ToDoubleFunction<TabletStatistics> value, MeterRegistry target) {
    Gauge.builder(name, () -> values(value).max().orElse(0)).register(target);
  }

  private DoubleStream values(ToDoubleFunction<TabletStatistics> value) {
    return tablets.get().stream()
        .filter(MaintainedTablet::isRunning)
        .mapToDouble(tablet -> value.applyAsDouble(tablet.statistics()));
  }
}
