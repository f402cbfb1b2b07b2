package dev.kudu4j.master.tables;

import dev.kudu4j.common.proto.common.TableExtraConfigPB;
import dev.kudu4j.common.proto.index.DerivationPB;
import dev.kudu4j.common.proto.index.IndexPB;
import dev.kudu4j.common.status.KuduException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The extra configuration properties of a table, which clients see as text and tablets get as
 * numbers.
 */
final class ExtraConfigs {
  private static final String HISTORY_MAX_AGE_SEC = "kudu.table.history_max_age_sec";
  private static final String MAINTENANCE_PRIORITY = "kudu.table.maintenance_priority";
  private static final String DISABLE_COMPACTION = "kudu.table.disable_compaction";
  private static final String READ_FRESHNESS_SEC = "kudu4j.read_freshness_sec";
  private static final String EPOCH_SEC = "kudu4j.epoch_sec";

  private ExtraConfigs() {}

  /**
   * The old properties with the changes applied, except those of {@link IndexSteps}; an empty value
   * removes a property.
   *
   * @throws KuduException INVALID_ARGUMENT for an unknown property or an invalid value
   */
  static Map<String, String> merge(Map<String, String> old, Map<String, String> changes) {
    Map<String, String> merged = new TreeMap<>(old);
    changes.forEach(
        (name, value) -> {
          if (IndexSteps.isIndex(name)) {
            return;
          }
          if (value.isEmpty()) {
            checkKnown(name);
            merged.remove(name);
          } else {
            set(TableExtraConfigPB.newBuilder(), name, value);
            merged.put(name, value);
          }
        });
    return merged;
  }

  /**
   * The properties and local indexes in the form that is sent to tablets.
   *
   * @param derivation of the table of an index; empty for other tables
   */
  static TableExtraConfigPB toWire(
      Map<String, String> configs, List<IndexPB> indexes, DerivationPB derivation) {
    TableExtraConfigPB.Builder wire = TableExtraConfigPB.newBuilder();
    configs.forEach((name, value) -> set(wire, name, value));
    indexes.stream()
        .filter(index -> !IndexTables.isGlobal(index))
        .forEach(index -> wire.getIndexesBuilder().addIndexes(index.toBuilder().clearDuplicates()));
    if (derivation.hasIndex()) {
      wire.setDerivation(derivation);
    }
    return wire.build();
  }

  private static void checkKnown(String name) {
    switch (name) {
      case HISTORY_MAX_AGE_SEC,
          MAINTENANCE_PRIORITY,
          DISABLE_COMPACTION,
          READ_FRESHNESS_SEC,
          EPOCH_SEC -> {}
      default -> throw unknown(name);
    }
  }

  private static void set(TableExtraConfigPB.Builder wire, String name, String value) {
    switch (name) {
      case HISTORY_MAX_AGE_SEC -> wire.setHistoryMaxAgeSec(number(name, value));
      case MAINTENANCE_PRIORITY -> wire.setMaintenancePriority(number(name, value));
      case DISABLE_COMPACTION -> wire.setDisableCompaction(flag(name, value));
      case READ_FRESHNESS_SEC -> wire.setReadFreshnessSec(seconds(name, value));
      case EPOCH_SEC -> wire.setEpochSec(seconds(name, value));
      default -> throw unknown(name);
    }
  }

  private static int number(String name, String value) {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw KuduException.invalidArgument(
          "unable to parse extra configuration property %s: %s is not a 32-bit number",
          name, value);
    }
  }

  private static int seconds(String name, String value) {
    int seconds = number(name, value);
    if (seconds < 0) {
      throw KuduException.invalidArgument(
          "extra configuration property %s must be 0 seconds or more, not %s; an empty value"
              + " removes it",
          name, value);
    }
    return seconds;
  }

  private static boolean flag(String name, String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw KuduException.invalidArgument(
              "unable to parse extra configuration property %s: %s is neither true nor false",
              name, value);
    };
  }

  private static KuduException unknown(String name) {
    return KuduException.invalidArgument(
        "invalid extra configuration property: %s; known are %s, %s, %s, %s, %s and %sNAME",
        name,
        HISTORY_MAX_AGE_SEC,
        MAINTENANCE_PRIORITY,
        DISABLE_COMPACTION,
        READ_FRESHNESS_SEC,
        EPOCH_SEC,
        IndexSteps.PREFIX);
  }
}
