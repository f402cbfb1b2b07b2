package dev.kudu4j.master;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.master.tables.ReplicationRules;
import dev.kudu4j.server.flags.Flags;
import dev.kudu4j.server.flags.OptionSet;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MasterOptionsTest {
  /** Operators and their scripts depend on these. */
  @Test
  void namesAndDefaultsStay() {
    OptionSet options = MasterOptions.all();
    Map.of(
            "min_num_replicas", 1,
            "max_num_replicas", 7,
            "default_num_replicas", 3,
            "max_create_tablets_per_ts", 60,
            "tserver_unresponsive_timeout_ms", 60_000,
            "tablet_creation_timeout_ms", 30_000,
            "default_deleted_table_reserve_seconds", 0,
            "location_mapping_cmd", "",
            "auto_rebalancing_enabled", true,
            "auto_rebalancing_interval_seconds", 30)
        .forEach(
            (name, value) -> {
              assertThat(options.find(name)).as(name).isNotNull();
              assertThat(options.find(name).defaultValue()).as(name).isEqualTo(value);
            });
  }

  @Test
  void defaultNumReplicasMayChangeWhileTheMasterRuns() {
    Flags flags = Flags.defaults(MasterOptions.all());
    ReplicationRules rules = MasterOptions.tables(flags).replication();
    assertThat(rules.byDefault().getAsInt()).isEqualTo(3);
    flags.change("default_num_replicas", "5", false);
    assertThat(rules.byDefault().getAsInt()).isEqualTo(5);
  }
}
