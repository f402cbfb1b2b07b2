package dev.kudu4j.server.maintenance;

import static dev.kudu4j.server.flags.Tag.ADVANCED;
import static dev.kudu4j.server.flags.Tag.STABLE;

import dev.kudu4j.server.flags.Flags;
import dev.kudu4j.server.flags.Option;
import dev.kudu4j.server.flags.OptionSet;
import dev.kudu4j.server.memory.MemoryBudget;
import java.util.concurrent.TimeUnit;

/** The flags of maintenance. Names are Apache Kudu's, and so are the defaults but for one. */
public final class MaintenanceOptions {
  public static final Option<Boolean> ENABLED =
      Option.bool("enable_maintenance_manager")
          .defaultValue(true)
          .tags(ADVANCED)
          .describe(
              "Whether tablets are flushed and compacted by themselves; without it only on demand.");

  public static final Option<Integer> THREADS =
      Option.int32("maintenance_manager_num_threads")
          .unit("threads")
          .defaultValue(1)
          .min(1)
          .max(64)
          .tags(STABLE)
          .describe("Flushes and compactions at once, each of another tablet.");

  public static final Option<Integer> POLLING_INTERVAL =
      Option.int32("maintenance_manager_polling_interval_ms")
          .unit("ms")
          .defaultValue(250)
          .min(1)
          .tags(ADVANCED)
          .describe("How often maintenance looks for work when it has none.");

  public static final Option<Integer> FLUSH_THRESHOLD =
      Option.int32("flush_threshold_mb")
          .defaultValue(64)
          .unit("MiB")
          .min(1)
          .tags(STABLE)
          .describe("Rows and changes of one tablet in memory from which on it is flushed.");

  public static final Option<Integer> FLUSH_AGE =
      Option.int32("flush_threshold_secs")
          .defaultValue(120)
          .unit("s")
          .min(1)
          .tags(STABLE)
          .describe(
              "How long a tablet may hold something that is not on disk before it is flushed.");

  public static final Option<Integer> LOG_TARGET =
      Option.int32("log_target_replay_size_mb")
          .defaultValue(1024)
          .unit("MiB")
          .min(1)
          .tags(ADVANCED)
          .describe(
              "Log of one tablet that a restart may have to replay; with more a flush comes before"
                  + " everything but a shortage of memory.");

  public static final Option<Integer> COMPACTION_BUDGET =
      Option.int32("tablet_compaction_budget_mb")
          .defaultValue(128)
          .unit("MiB")
          .min(1)
          .tags(ADVANCED)
          .describe("Most that one compaction reads; a larger one is done in steps.");

  private MaintenanceOptions() {}

  /** A daemon's options and those of maintenance. */
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

  /** What the flags say, for a server with that much memory. */
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
