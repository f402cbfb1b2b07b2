package dev.kudu4j.server.maintenance;

import dev.kudu4j.common.proto.common.TableExtraConfigPB;
import java.util.OptionalLong;

/**
 * The properties of a table that configure the maintenance of its tablets.
 *
 * @param historySeconds {@code kudu.table.history_max_age_sec}; empty for the server's default
 * @param priority {@code kudu.table.maintenance_priority}, -5 to 5; each step multiplies scores for
 *     the reason PERFORMANCE by 1.1
 * @param compactionDisabled {@code kudu.table.disable_compaction}: rowsets of the table are not
 *     merged
 */
public record TableMaintenanceConfig(
    OptionalLong historySeconds, int priority, boolean compactionDisabled) {
  /** The configuration of a table without properties. */
  public static final TableMaintenanceConfig NONE =
      new TableMaintenanceConfig(OptionalLong.empty(), 0, false);

  private static final int HIGHEST_PRIORITY = 5;

  public static TableMaintenanceConfig of(TableExtraConfigPB config) {
    return new TableMaintenanceConfig(
        config.hasHistoryMaxAgeSec()
            ? OptionalLong.of(config.getHistoryMaxAgeSec())
            : OptionalLong.empty(),
        Math.max(-HIGHEST_PRIORITY, Math.min(HIGHEST_PRIORITY, config.getMaintenancePriority())),
        config.getDisableCompaction());
  }
}
