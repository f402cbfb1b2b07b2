package dev.kudu4j.master.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.proto.master.MasterFeatures;
import dev.kudu4j.common.rpc.RpcService;
import dev.kudu4j.server.flags.FlagParser;
import dev.kudu4j.server.flags.Flags;
import dev.kudu4j.server.flags.ServerOptions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FeatureFlagsTest {
  /** Published tests set these flags by name. */
  private static final Map<String, Integer> FEATURES =
      Map.of(
          "enable_per_range_hash_schemas", MasterFeatures.RANGE_SPECIFIC_HASH_SCHEMA_VALUE,
          "master_support_ignore_operations", MasterFeatures.IGNORE_OPERATIONS_VALUE,
          "master_support_upsert_ignore_operations", MasterFeatures.UPSERT_IGNORE_VALUE,
          "master_support_immutable_column_attribute",
              MasterFeatures.IMMUTABLE_COLUMN_ATTRIBUTE_VALUE,
          "master_support_auto_incrementing_column", MasterFeatures.AUTO_INCREMENTING_COLUMN_VALUE,
          "master_support_1d_array_columns", MasterFeatures.ARRAY_1D_COLUMN_TYPE_VALUE,
          "master_support_columns_without_time_zone", MasterFeatures.WITHOUT_TIME_ZONE_VALUE);

  @Test
  void aFlagDisablesAndEnablesItsFeature() {
    Flags flags =
        FlagParser.parse(
            FeatureFlags.addTo(ServerOptions.master()), List.of("--unlock_unsafe_flags"));
    RpcService.Builder builder = RpcService.builder("kudu.master.MasterService");
    FeatureFlags.declare(builder, flags);
    RpcService service = builder.build();
    assertThat(service.features()).containsExactlyInAnyOrderElementsOf(FEATURES.values());
    FEATURES.forEach(
        (flag, feature) -> {
          flags.change(flag, "false", false);
          assertThat(service.features())
              .as(flag)
              .hasSize(FEATURES.size() - 1)
              .doesNotContain(feature);
          flags.change(flag, "true", false);
        });
  }
}
