package dev.kudu4j.tserver;

import dev.kudu4j.server.flags.Option;
import dev.kudu4j.server.flags.OptionSet;
import dev.kudu4j.server.flags.ServerOptions;
import dev.kudu4j.server.flags.Tag;

/** The flags of a tablet server beyond those that every daemon has. */
public final class TabletServerOptions {
  public static final Option<Integer> FLUSH_THRESHOLD =
      Option.int32("flush_threshold_mb")
          .defaultValue(64)
          .unit("MiB")
          .min(1)
          .tags(Tag.STABLE)
          .describe("Rows and changes of one tablet in memory from which on it is flushed.");

  public static final Option<Integer> FLUSH_AGE =
      Option.int32("flush_threshold_secs")
          .defaultValue(120)
          .unit("s")
          .min(1)
          .tags(Tag.STABLE)
          .describe(
              "How long a tablet may hold something that is not on disk before it is flushed.");

  public static final Option<Integer> HISTORY_AGE =
      Option.int32("tablet_history_max_age_sec")
          .defaultValue(7 * 24 * 3600)
          .unit("s")
          .tags(Tag.STABLE)
          .describe(
              "How far back snapshot scans may reach; -1 means without limit. A table's property"
                  + " kudu.table.history_max_age_sec comes first.");

  private TabletServerOptions() {}

  public static OptionSet all() {
    return ServerOptions.tabletServer().with(FLUSH_THRESHOLD, FLUSH_AGE, HISTORY_AGE);
  }
}
