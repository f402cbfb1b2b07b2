package dev.kudu4j.master.transactions;

import static dev.kudu4j.server.flags.Tag.ADVANCED;
import static dev.kudu4j.server.flags.Tag.EXPERIMENTAL;

import dev.kudu4j.server.flags.Option;
import dev.kudu4j.server.flags.OptionSet;

/** The masters' flags of transactions. Names and defaults are Apache Kudu's where it has them. */
public final class TransactionOptions {
  public static final Option<Boolean> ENABLED =
      Option.bool("txn_manager_enabled")
          .defaultValue(false)
          .tags(EXPERIMENTAL)
          .describe("Whether clients can use transactions. Set it on all masters.");

  public static final Option<Integer> REPLICAS =
      Option.int32("txn_manager_status_table_num_replicas")
          .unit("replicas")
          .defaultValue(0)
          .min(0)
          .max(7)
          .tags(ADVANCED, EXPERIMENTAL)
          .describe(
              "Number of replicas of the table of transactions. 0 for --default_num_replicas, or"
                  + " fewer if fewer tablet servers are alive when the table is created.");

  public static final Option<Long> SPAN =
      Option.int64("txn_manager_status_table_range_partition_span")
          .unit("transactions")
          .defaultValue(1_000_000L)
          .min(1)
          .tags(ADVANCED, EXPERIMENTAL)
          .describe("Number of transactions of each tablet of the table of transactions.");

  private TransactionOptions() {}

  public static OptionSet addTo(OptionSet options) {
    return options.with(ENABLED, REPLICAS, SPAN);
  }
}
