package dev.kudu4j.tserver;

import dev.kudu4j.server.flags.Option;
import dev.kudu4j.server.flags.OptionSet;
import dev.kudu4j.server.flags.ServerOptions;
import dev.kudu4j.server.flags.Tag;
import dev.kudu4j.server.maintenance.MaintenanceOptions;
import dev.kudu4j.tserver.copy.CopyOptions;
import dev.kudu4j.tserver.transaction.CoordinatorOptions;

/** The flags of a tablet server beyond those that every daemon has. */
public final class TabletServerOptions {
  public static final Option<Integer> HISTORY_AGE =
      Option.int32("tablet_history_max_age_sec")
          .defaultValue(7 * 24 * 3600)
          .unit("s")
          .tags(Tag.STABLE)
          .describe(
              "Age after which maintenance may remove the history of rows. Snapshot scans"
                  + " cannot read further back. -1 keeps history for ever. The table property"
                  + " kudu.table.history_max_age_sec takes precedence.");

  public static final Option<Integer> SCANS_KEPT =
      Option.int32("completed_scan_history_count")
          .defaultValue(10)
          .unit("scans")
          .min(0)
          .max(1000)
          .tags(Tag.ADVANCED, Tag.RUNTIME)
          .describe("Number of completed scans that the page /scans shows.");

  private TabletServerOptions() {}

  public static OptionSet all() {
    return CoordinatorOptions.addTo(
            CopyOptions.addTo(MaintenanceOptions.addTo(ServerOptions.tabletServer())))
        .with(HISTORY_AGE, SCANS_KEPT);
  }
}
