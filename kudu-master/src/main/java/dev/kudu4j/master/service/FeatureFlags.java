package dev.kudu4j.master.service;

import dev.kudu4j.common.proto.master.MasterFeatures;
import dev.kudu4j.common.rpc.RpcService;
import dev.kudu4j.server.flags.Flags;
import dev.kudu4j.server.flags.Option;
import dev.kudu4j.server.flags.OptionSet;
import dev.kudu4j.server.flags.Tag;

/**
 * Flags that hide features of a master from clients, to test how clients handle masters of earlier
 * versions. The names are those of Apache Kudu's flags.
 */
public final class FeatureFlags {
  private static final Option<Boolean> RANGE_HASHING =
      feature("enable_per_range_hash_schemas", "ranges with their own hash schema");
  private static final Option<Boolean> IGNORE_OPERATIONS =
      feature("master_support_ignore_operations", "INSERT_IGNORE, UPDATE_IGNORE and DELETE_IGNORE");
  private static final Option<Boolean> UPSERT_IGNORE =
      feature("master_support_upsert_ignore_operations", "UPSERT_IGNORE");
  private static final Option<Boolean> IMMUTABLE_COLUMNS =
      feature("master_support_immutable_column_attribute", "immutable columns");
  private static final Option<Boolean> AUTO_INCREMENTING =
      feature("master_support_auto_incrementing_column", "auto-incrementing columns");
  private static final Option<Boolean> ARRAYS =
      feature("master_support_1d_array_columns", "array columns");

  /** Only Kudu4j has the feature and the flag. */
  private static final Option<Boolean> WITHOUT_TIME_ZONE =
      feature("master_support_columns_without_time_zone", "timestamps without time zone");

  private FeatureFlags() {}

  private static Option<Boolean> feature(String name, String what) {
    return Option.bool(name)
        .defaultValue(true)
        .tags(Tag.HIDDEN, Tag.RUNTIME, Tag.UNSAFE)
        .describe("Whether the master advertises support for " + what + ", for tests.");
  }

  public static OptionSet addTo(OptionSet options) {
    return options.with(
        RANGE_HASHING,
        IGNORE_OPERATIONS,
        UPSERT_IGNORE,
        IMMUTABLE_COLUMNS,
        AUTO_INCREMENTING,
        ARRAYS,
        WITHOUT_TIME_ZONE);
  }

  /** Declares the features that a flag may hide. */
  static void declare(RpcService.Builder service, Flags flags) {
    service
        .feature(MasterFeatures.RANGE_SPECIFIC_HASH_SCHEMA_VALUE, () -> flags.get(RANGE_HASHING))
        .feature(MasterFeatures.IGNORE_OPERATIONS_VALUE, () -> flags.get(IGNORE_OPERATIONS))
        .feature(MasterFeatures.UPSERT_IGNORE_VALUE, () -> flags.get(UPSERT_IGNORE))
        .feature(
            MasterFeatures.IMMUTABLE_COLUMN_ATTRIBUTE_VALUE, () -> flags.get(IMMUTABLE_COLUMNS))
        .feature(MasterFeatures.AUTO_INCREMENTING_COLUMN_VALUE, () -> flags.get(AUTO_INCREMENTING))
        .feature(MasterFeatures.ARRAY_1D_COLUMN_TYPE_VALUE, () -> flags.get(ARRAYS))
        .feature(MasterFeatures.WITHOUT_TIME_ZONE_VALUE, () -> flags.get(WITHOUT_TIME_ZONE));
  }
}
