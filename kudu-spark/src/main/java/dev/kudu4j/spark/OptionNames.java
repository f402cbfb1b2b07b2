package dev.kudu4j.spark;

import static dev.kudu4j.spark.KuduOptions.ANY_SCHEMA;
import static dev.kudu4j.spark.KuduOptions.ATOMIC;
import static dev.kudu4j.spark.KuduOptions.BATCH_SIZE;
import static dev.kudu4j.spark.KuduOptions.CHANGES_FROM;
import static dev.kudu4j.spark.KuduOptions.ENCRYPTION_POLICY;
import static dev.kudu4j.spark.KuduOptions.FAULT_TOLERANT_SCAN;
import static dev.kudu4j.spark.KuduOptions.FRESHNESS;
import static dev.kudu4j.spark.KuduOptions.HANDLE_SCHEMA_DRIFT;
import static dev.kudu4j.spark.KuduOptions.IGNORE_DUPLICATE_ROW_ERRORS;
import static dev.kudu4j.spark.KuduOptions.IGNORE_NULL;
import static dev.kudu4j.spark.KuduOptions.INDEX_HINT;
import static dev.kudu4j.spark.KuduOptions.KEEP_ALIVE_PERIOD_MS;
import static dev.kudu4j.spark.KuduOptions.MASTER;
import static dev.kudu4j.spark.KuduOptions.MAX_CHANGES_PER_TRIGGER;
import static dev.kudu4j.spark.KuduOptions.OPERATION;
import static dev.kudu4j.spark.KuduOptions.OPERATION_TIMEOUT_MS;
import static dev.kudu4j.spark.KuduOptions.PUSH_DOWN;
import static dev.kudu4j.spark.KuduOptions.REPARTITION;
import static dev.kudu4j.spark.KuduOptions.REPARTITION_SORT;
import static dev.kudu4j.spark.KuduOptions.REQUIRE_AUTHENTICATION;
import static dev.kudu4j.spark.KuduOptions.RUNTIME_FILTERS;
import static dev.kudu4j.spark.KuduOptions.SASL_PROTOCOL_NAME;
import static dev.kudu4j.spark.KuduOptions.SCAN_LOCALITY;
import static dev.kudu4j.spark.KuduOptions.SCAN_REQUEST_TIMEOUT_MS;
import static dev.kudu4j.spark.KuduOptions.SNAPSHOT_TIMESTAMP_MS;
import static dev.kudu4j.spark.KuduOptions.SOCKET_READ_TIMEOUT_MS;
import static dev.kudu4j.spark.KuduOptions.SPLIT_SIZE_BYTES;
import static dev.kudu4j.spark.KuduOptions.TABLE;
import static dev.kudu4j.spark.KuduOptions.USE_DRIVER_METADATA;
import static dev.kudu4j.spark.KuduOptions.WRITTEN_COLUMNS;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The names of all options, and the error for an unknown name. If a misspelled option were ignored,
 * it would cause an unintended read or write.
 *
 * <p>A name that does not start with {@code kudu.} belongs to another program and is accepted,
 * unless it is the name of an option without this prefix.
 */
final class OptionNames {
  private static final String PREFIX = "kudu.";
  private static final int FARTHEST = 4;

  private static final List<String> KNOWN =
      List.of(
          MASTER,
          TABLE,
          SCAN_LOCALITY,
          FAULT_TOLERANT_SCAN,
          BATCH_SIZE,
          SCAN_REQUEST_TIMEOUT_MS,
          SOCKET_READ_TIMEOUT_MS,
          KEEP_ALIVE_PERIOD_MS,
          SPLIT_SIZE_BYTES,
          USE_DRIVER_METADATA,
          INDEX_HINT,
          PUSH_DOWN,
          RUNTIME_FILTERS,
          SNAPSHOT_TIMESTAMP_MS,
          FRESHNESS,
          CHANGES_FROM,
          MAX_CHANGES_PER_TRIGGER,
          OPERATION,
          WRITTEN_COLUMNS,
          IGNORE_NULL,
          IGNORE_DUPLICATE_ROW_ERRORS,
          REPARTITION,
          REPARTITION_SORT,
          HANDLE_SCHEMA_DRIFT,
          ATOMIC,
          ANY_SCHEMA,
          SASL_PROTOCOL_NAME,
          REQUIRE_AUTHENTICATION,
          ENCRYPTION_POLICY,
          OPERATION_TIMEOUT_MS);

  private OptionNames() {}

  /** Rejects an unknown name, ignoring case, like Spark. */
  static void check(String name) {
    boolean ours = name.regionMatches(true, 0, PREFIX, 0, PREFIX.length());
    if (ours ? !isKnown(name) : isKnown(PREFIX + name)) {
      String nearest = nearest(ours ? name : PREFIX + name);
      throw new IllegalArgumentException(
          "Unknown option "
              + name
              + (nearest == null ? " of tables in Kudu" : "; did you mean " + nearest + "?"));
    }
  }

  private static boolean isKnown(String name) {
    return KNOWN.stream().anyMatch(name::equalsIgnoreCase);
  }

  /** The most similar name; null if none is similar. */
  private static String nearest(String name) {
    String wanted = name.toLowerCase(Locale.ROOT);
    return KNOWN.stream()
        .filter(known -> distance(wanted, known.toLowerCase(Locale.ROOT)) <= FARTHEST)
        .min(Comparator.comparingInt(known -> distance(wanted, known.toLowerCase(Locale.ROOT))))
        .orElse(null);
  }

  /** Number of letters to insert, remove or change to turn {@code from} into {@code to}. */
  private static int distance(String from, String to) {
    int[] last = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      last[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int[] next = new int[to.length() + 1];
      next[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int changed = last[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        next[j] = Math.min(changed, 1 + Math.min(last[j], next[j - 1]));
      }
      last = next;
    }
    return last[to.length()];
  }
}
