package dev.kudu4j.master.directory;

import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletInfo;
import dev.kudu4j.master.observed.ObservedTablets;
import dev.kudu4j.master.observed.TabletStatus;
import java.util.OptionalLong;

/**
 * The size of a table: the sum over its tablets, as their leaders last reported it. Each value is
 * absent until it has been reported for every tablet.
 */
public record TableSize(OptionalLong onDiskBytes, OptionalLong liveRowCount) {

  public static TableSize of(TableInfo table, ObservedTablets observed) {
    long bytes = 0;
    long rows = 0;
    boolean bytesKnown = true;
    boolean rowsKnown = true;
    for (TabletInfo tablet : table.tablets()) {
      TabletStatus status = observed.status(tablet.id());
      bytes += Math.max(0, status.onDiskBytes());
      rows += Math.max(0, status.liveRowCount());
      bytesKnown &= status.onDiskBytes() >= 0;
      rowsKnown &= status.liveRowCount() >= 0;
    }
    return new TableSize(
        bytesKnown ? OptionalLong.of(bytes) : OptionalLong.empty(),
        rowsKnown ? OptionalLong.of(rows) : OptionalLong.empty());
  }
}
