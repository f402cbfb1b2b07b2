package dev.kudu4j.tserver.transaction;

import dev.kudu4j.server.flags.Option;
import dev.kudu4j.server.flags.OptionSet;
import dev.kudu4j.server.flags.Tag;

/** The flags of coordinators of transactions. Names and defaults are Apache Kudu's. */
public final class CoordinatorOptions {
  public static final Option<Integer> KEEPALIVE_INTERVAL =
      Option.int32("txn_keepalive_interval_ms")
          .unit("ms")
          .defaultValue(30_000)
          .min(10)
          .tags(Tag.EXPERIMENTAL, Tag.RUNTIME)
          .describe(
              "Time without a sign of life of its client after which an open transaction is"
                  + " aborted. Clients send one at half of this interval.");

  public static final Option<Integer> STALENESS_INTERVAL =
      Option.int32("txn_staleness_tracker_interval_ms")
          .unit("ms")
          .defaultValue(10_000)
          .min(0)
          .tags(Tag.EXPERIMENTAL)
          .describe(
              "Interval of the search for open transactions without a sign of life. 0 keeps them"
                  + " for ever.");

  public static final Option<Boolean> BACKGROUND_TASKS =
      Option.bool("txn_schedule_background_tasks")
          .defaultValue(true)
          .tags(Tag.UNSAFE)
          .describe(
              "Whether commits and aborts are carried out. Without, they only begin, which is for"
                  + " tests of clients.");

  public static final Option<Integer> RETENTION =
      Option.int32("txn_ended_retention_secs")
          .unit("s")
          .defaultValue(24 * 60 * 60)
          .min(0)
          .tags(Tag.EXPERIMENTAL)
          .describe(
              "Time for which transactions that have ended are remembered, at least ten minutes. 0"
                  + " keeps them for ever.");

  private CoordinatorOptions() {}

  public static OptionSet addTo(OptionSet options) {
    return options.with(KEEPALIVE_INTERVAL, STALENESS_INTERVAL, BACKGROUND_TASKS, RETENTION);
  }
}
