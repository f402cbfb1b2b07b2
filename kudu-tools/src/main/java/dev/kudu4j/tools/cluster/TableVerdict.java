package dev.kudu4j.tools.cluster;

import java.util.List;
import java.util.Map;

/** The health of a table: that of its worst tablet. */
record TableVerdict(TableState table, List<TabletVerdict> tablets) {
  static TableVerdict of(TableState table, Map<String, ServerState> servers) {
    return new TableVerdict(
        table,
        table.tablets().stream().map(tablet -> TabletVerdict.of(table, tablet, servers)).toList());
  }

  TabletHealth health() {
    return table.error().isEmpty()
        ? tablets.stream()
            .map(TabletVerdict::health)
            .reduce(TabletHealth.HEALTHY, TabletHealth::worse)
        : TabletHealth.UNAVAILABLE;
  }

  long count(TabletHealth health) {
    return tablets.stream().filter(tablet -> tablet.health() == health).count();
  }
}
