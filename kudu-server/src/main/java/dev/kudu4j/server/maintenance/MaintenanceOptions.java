package dev.kudu4j.server.maintenance;

import static dev.kudu4j.server.flags.Tag.ADVANCED;
import static dev.kudu4j.server.flags.Tag.STABLE;

import dev.kudu4j.server.flags.Flags;
import dev.kudu4j.server.flags.Option;
import dev.kudu4j.server.flags.OptionSet;
import dev.kudu4j.server.memory.MemoryBudget;
import java.util.concurrent.TimeUnit;

/**
 * The flags of maintenance. Names and defaults are those of Apache Kudu, except that {@code
 * flush_threshold_mb} has a lower default.
 */
public final class MaintenanceOptions {
  public static final Option<Boolean> ENABLED =
      Option.bool("enable_maintenance_manager")
          .defaultValue(true)
          .tags(ADVANCED)
          .describe(
              "Whether the server flushes and compacts tablets in the background. If false,"
                  + " it does so only on request.");

  public static final Option<Integer> THREADS =
      Option.int32("maintenance_manager_num_threads")
          .unit("threads")
          .defaultValue(1)
          .min(1)
          .max(64)
          .tags(STABLE)
          .describe(
              "Maximum number of flushes and compactions that run at the same time, each on a"
                  + " different tablet.");

  public static final Option<Integer> POLLING_INTERVAL =
      Option.int32("maintenance_manager_polling_interval_ms")
          .unit("ms")
          .defaultValue(250)
          .min(1)
          .tags(ADVANCED)
          .describe("Interval at which an idle maintenance scheduler looks for work.");

  public static final Option<Integer> FLUSH_THRESHOLD =
      Option.int32("flush_threshold_mb")
          .defaultValue(64)
          .unit("MiB")
          .min(1)
          .tags(STABLE)
          .describe(
              "Size of the rows and deltas that a tablet holds in memory at which the tablet"
                  + " is flushed.");

  public static final Option<Integer> FLUSH_AGE =
      Option.int32("flush_threshold_secs")
          .defaultValue(120)
          .unit("s")
          .min(1)
          .tags(STABLE)
          .describe("Age of unflushed rows or deltas in memory at which a tablet is flushed.");

  public static final Option<Integer> LOG_TARGET =
      Option.int32("log_target_replay_size_mb")
          .defaultValue(1024)
          .unit("MiB")
          .min(1)
          .tags(ADVANCED)
          .describe(
              "Size of the log of a tablet that a restart would replay, above which a flush"
                  + " of the tablet precedes all other maintenance except flushes for lack of"
                  + " memory.");

  public static final Option<Integer> COMPACTION_BUDGET =
      Option.int32("tablet_compaction_budget_mb")
          .defaultValue(128)
          .unit("MiB")
          .min(1)
          .tags(ADVANCED)
          .describe(
              "Maximum amount of data that one compaction reads. Larger compactions are"
                  + " divided into steps.");

  private MaintenanceOptions() {}

  /** Adds the flags of maintenance to the options of a daemon. */
  public static OptionSet addTo(OptionSet options) {
    return options.with(
        ENABLED,
        THREADS,
        POLLING_INTERVAL,
        FLUSH_THRESHOLD,
        FLUSH_AGE,
        LOG_TARGET,
        COMPACTION_BUDGET);
  }

  /** The settings that the flags specify, for a server with this memory budget. */
  public static MaintenanceSettings settings(Flags flags, MemoryBudget memory) {
    return new MaintenanceSettings(
        flags.get(ENABLED),
        flags.get(THREADS),
        flags.get(POLLING_INTERVAL),
        memory.rowsBytes() / 2,
        new MaintenancePolicy(
            mebibytes(flags.get(FLUSH_THRESHOLD)),
            TimeUnit.SECONDS.toMillis(flags.get(FLUSH_AGE)),
            mebibytes(flags.get(LOG_TARGET)),
            mebibytes(flags.get(COMPACTION_BUDGET))));
  }

  private static long mebibytes(int count) {
    return (long) count << 20;
  }
}
