package dev.kudu4j.master;

import static dev.kudu4j.server.flags.Tag.ADVANCED;

import dev.kudu4j.master.service.FeatureFlags;
import dev.kudu4j.master.tables.RebalancingOptions;
import dev.kudu4j.master.tables.ReplicationRules;
import dev.kudu4j.master.tables.TablesOptions;
import dev.kudu4j.master.transactions.TransactionOptions;
import dev.kudu4j.server.flags.Flags;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.flags.Option;
import dev.kudu4j.server.flags.OptionSet;
import dev.kudu4j.server.flags.ServerOptions;
import dev.kudu4j.server.maintenance.MaintenanceOptions;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The options that only a master has. Names and defaults are Apache Kudu's where it has them. */
public final class MasterOptions {
  static final Option<Integer> MIN_NUM_REPLICAS =
      Option.int32("min_num_replicas")
          .unit("replicas")
          .defaultValue(1)
          .min(1)
          .max(7)
          .tags(ADVANCED)
          .describe("Minimum number of replicas of a table.");

  static final Option<Integer> MAX_NUM_REPLICAS =
      Option.int32("max_num_replicas")
          .unit("replicas")
          .defaultValue(7)
          .min(1)
          .max(7)
          .tags(ADVANCED)
          .describe("Maximum number of replicas of a table.");

  static final Option<Integer> MAX_CREATE_TABLETS_PER_TS =
      Option.int32("max_create_tablets_per_ts")
          .unit("replicas")
          .defaultValue(60)
          .min(0)
          .tags(ADVANCED)
          .describe(
              "Maximum number of replicas that the creation of a table may add per live"
                  + " tablet server. 0 for no limit.");

  static final Option<Integer> MAX_REPLICAS_PER_TS =
      Option.int32("max_replicas_per_ts")
          .unit("replicas")
          .defaultValue(10_000)
          .min(0)
          .tags(ADVANCED)
          .describe(
              "Maximum number of replicas of all tables per live tablet server. The master"
                  + " rejects requests that would exceed it. 0 for no limit.");

  static final Option<Integer> TSERVER_UNRESPONSIVE =
      Option.int32("tserver_unresponsive_timeout_ms")
          .unit("ms")
          .defaultValue(60_000)
          .min(100)
          .tags(ADVANCED)
          .describe(
              "Time without a heartbeat after which the master considers a tablet server"
                  + " dead.");

  static final Option<Integer> TABLET_CREATION_TIMEOUT =
      Option.int32("tablet_creation_timeout_ms")
          .unit("ms")
          .defaultValue(30_000)
          .min(100)
          .tags(ADVANCED)
          .describe(
              "Time that the creation of a tablet waits for a tablet server that does not"
                  + " respond, before the master selects another server.");

  static final Option<Integer> DELETED_TABLE_RESERVE =
      Option.int32("default_deleted_table_reserve_seconds")
          .unit("s")
          .defaultValue(0)
          .min(0)
          .tags(ADVANCED)
          .describe(
              "Time for which a deleted table can be recalled when the delete request does"
                  + " not specify it.");

  static final Option<String> LOCATION_MAPPING_CMD =
      Option.text("location_mapping_cmd")
          .tags(ADVANCED)
          .describe(
              "Command that maps the host of a tablet server, its argument, to a location on"
                  + " standard output, such as /dc1/rack3. If empty, locations are not used.");

  static final Option<Boolean> AUTO_REBALANCING_ENABLED =
      Option.bool("auto_rebalancing_enabled")
          .defaultValue(true)
          .tags(ADVANCED)
          .describe(
              "Whether the master moves replicas until they are evenly distributed over the"
                  + " tablet servers.");

  static final Option<Integer> AUTO_REBALANCING_INTERVAL =
      Option.int32("auto_rebalancing_interval_seconds")
          .unit("s")
          .defaultValue(30)
          .min(1)
          .tags(ADVANCED)
          .describe("Interval between two rounds of replica rebalancing.");

  static final Option<Integer> AUTO_REBALANCING_MAX_MOVES =
      Option.int32("auto_rebalancing_max_moves_per_server")
          .unit("moves")
          .defaultValue(1)
          .min(1)
          .tags(ADVANCED)
          .describe(
              "Maximum number of replica moves from or to one tablet server at the same time.");

  static final Option<Boolean> AUTO_LEADER_REBALANCING_ENABLED =
      Option.bool("auto_leader_rebalancing_enabled")
          .defaultValue(true)
          .tags(ADVANCED)
          .describe(
              "Whether the master transfers leadership until leaders are evenly distributed"
                  + " over the tablet servers.");

  static final Option<Integer> LEADER_REBALANCING_INTERVAL =
      Option.int32("leader_rebalancing_interval_seconds")
          .unit("s")
          .defaultValue(60)
          .min(1)
          .tags(ADVANCED)
          .describe("Interval between two rounds of leader rebalancing.");

  static final Option<Integer> LEADER_REBALANCING_MAX_MOVES =
      Option.int32("leader_rebalancing_max_moves_per_round")
          .unit("leaders")
          .defaultValue(10)
          .min(1)
          .tags(ADVANCED)
          .describe("Maximum number of leadership transfers in one round of leader rebalancing.");

  /** Target size of the catalog's log, so small that the log is replayed in an instant. */
  private static final int CATALOG_LOG_MEBIBYTES = 4;

  private static final int DEFAULT_PORT = 7051;

  private MasterOptions() {}

  /** All options of {@code kudu-master}. */
  public static OptionSet all() {
    return TransactionOptions.addTo(
            FeatureFlags.addTo(MaintenanceOptions.addTo(ServerOptions.master())))
        .with(
            MaintenanceOptions.LOG_TARGET.withDefault(CATALOG_LOG_MEBIBYTES),
            MIN_NUM_REPLICAS,
            MAX_NUM_REPLICAS,
            MAX_CREATE_TABLETS_PER_TS,
            MAX_REPLICAS_PER_TS,
            TSERVER_UNRESPONSIVE,
            TABLET_CREATION_TIMEOUT,
            DELETED_TABLE_RESERVE,
            LOCATION_MAPPING_CMD,
            AUTO_REBALANCING_ENABLED,
            AUTO_REBALANCING_INTERVAL,
            AUTO_REBALANCING_MAX_MOVES,
            AUTO_LEADER_REBALANCING_ENABLED,
            LEADER_REBALANCING_INTERVAL,
            LEADER_REBALANCING_MAX_MOVES);
  }

  /** The RPC addresses of all masters; empty if this master is the only one. */
  static List<HostPort> masters(Flags flags) {
    return HostPort.parseList(flags.get(ServerOptions.MASTER_ADDRESSES), DEFAULT_PORT);
  }

  static TablesOptions tables(Flags flags) {
    ReplicationRules replication =
        new ReplicationRules(
            () -> flags.get(ServerOptions.DEFAULT_NUM_REPLICAS),
            flags.get(MIN_NUM_REPLICAS),
            flags.get(MAX_NUM_REPLICAS),
            flags.get(MAX_CREATE_TABLETS_PER_TS),
            flags.get(MAX_REPLICAS_PER_TS));
    return new TablesOptions(
        replication,
        flags.get(TABLET_CREATION_TIMEOUT),
        TimeUnit.SECONDS.toMillis(1),
        TimeUnit.SECONDS.toMillis(60),
        flags.get(DELETED_TABLE_RESERVE),
        rebalancing(flags));
  }

  private static RebalancingOptions rebalancing(Flags flags) {
    return new RebalancingOptions(
        flags.get(AUTO_REBALANCING_ENABLED),
        TimeUnit.SECONDS.toMillis(flags.get(AUTO_REBALANCING_INTERVAL)),
        flags.get(AUTO_REBALANCING_MAX_MOVES),
        flags.get(AUTO_LEADER_REBALANCING_ENABLED),
        TimeUnit.SECONDS.toMillis(flags.get(LEADER_REBALANCING_INTERVAL)),
        flags.get(LEADER_REBALANCING_MAX_MOVES));
  }
}
