package dev.kudu4j.spark;

import dev.kudu4j.client.KuduIndexHint;
import dev.kudu4j.client.ReplicaSelection;
import dev.kudu4j.spark.catalog.NameList;
import dev.kudu4j.spark.client.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The options of a catalog, a read or a write, with the names of Apache Kudu's connector. Those of
 * a catalog ({@code spark.sql.catalog.k.kudu.batchSize}) are the defaults of its tables; those of a
 * read or write ({@code option("kudu.batchSize", ...)}, {@code SELECT ... FROM t WITH
 * (`kudu.batchSize` = '...')}) override them. The driver uses this class; tasks get only the values
 * that they need.
 */
public final class KuduOptions {
  public static final String MASTER = "kudu.master";
  public static final String TABLE = "kudu.table";

  public static final String SCAN_LOCALITY = "kudu.scanLocality";
  public static final String FAULT_TOLERANT_SCAN = "kudu.faultTolerantScan";
  public static final String BATCH_SIZE = "kudu.batchSize";
  public static final String SCAN_REQUEST_TIMEOUT_MS = "kudu.scanRequestTimeoutMs";
  public static final String SOCKET_READ_TIMEOUT_MS = "kudu.socketReadTimeoutMs";
  public static final String KEEP_ALIVE_PERIOD_MS = "kudu.keepAlivePeriodMs";
  public static final String SPLIT_SIZE_BYTES = "kudu.splitSizeBytes";
  public static final String USE_DRIVER_METADATA = "kudu.useDriverMetadata";
  public static final String INDEX_HINT = "kudu.indexHint";
  public static final String PUSH_DOWN = "kudu.pushDown";
  public static final String RUNTIME_FILTERS = "kudu.runtimeFilters";
  public static final String SNAPSHOT_TIMESTAMP_MS = "kudu.snapshotTimestampMs";
  public static final String FRESHNESS = "kudu.freshness";

  public static final String OPERATION = "kudu.operation";
  public static final String WRITTEN_COLUMNS = "kudu.writtenColumns";
  public static final String IGNORE_NULL = "kudu.ignoreNull";
  public static final String IGNORE_DUPLICATE_ROW_ERRORS = "kudu.ignoreDuplicateRowErrors";
  public static final String REPARTITION = "kudu.repartition";
  public static final String REPARTITION_SORT = "kudu.repartition.sort";
  public static final String HANDLE_SCHEMA_DRIFT = "kudu.handleSchemaDrift";
  public static final String ATOMIC = "kudu.atomic";
  public static final String CHANGES_FROM = "kudu.changesFrom";
  public static final String MAX_CHANGES_PER_TRIGGER = "kudu.maxChangesPerTrigger";

  /**
   * Whether data to write may lack columns of the table, which are then not changed; otherwise
   * Spark fills them with NULL. Set by the format {@code kudu}, not by SQL.
   */
  static final String ANY_SCHEMA = "kudu.anySchema";

  public static final String SASL_PROTOCOL_NAME = "kudu.saslProtocolName";
  public static final String REQUIRE_AUTHENTICATION = "kudu.requireAuthentication";
  public static final String OPERATION_TIMEOUT_MS = "kudu.operationTimeoutMs";
  public static final String ENCRYPTION_POLICY = "kudu.encryptionPolicy";

  /** Options that identify the table and the cluster. */
  private static final List<String> TABLE_IDENTITY =
      List.of(
          MASTER,
          TABLE,
          SASL_PROTOCOL_NAME,
          REQUIRE_AUTHENTICATION,
          ENCRYPTION_POLICY,
          OPERATION_TIMEOUT_MS);

  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(s|m|h)");
  private static final String DEFAULT_MASTER = "localhost:7051";
  private static final int DEFAULT_BATCH_BYTES = 4 << 20;
  private static final long DEFAULT_KEEP_ALIVE_MILLIS = 15_000;

  private final CaseInsensitiveStringMap options;

  private KuduOptions(Map<String, String> options) {
    options.keySet().forEach(OptionNames::check);
    this.options = new CaseInsensitiveStringMap(options);
  }

  /**
   * Creates the options.
   *
   * @throws IllegalArgumentException for an unknown name
   */
  public static KuduOptions of(Map<String, String> options) {
    return new KuduOptions(options);
  }

  /** These options, overridden by those of one read or write. */
  public KuduOptions with(Map<String, String> perUse) {
    Map<String, String> all = new HashMap<>(options.asCaseSensitiveMap());
    CaseInsensitiveStringMap first = new CaseInsensitiveStringMap(perUse);
    all.keySet().removeIf(first::containsKey);
    all.keySet().removeIf(FRESHNESS::equalsIgnoreCase); // no default; see freshness()
    all.putAll(first.asCaseSensitiveMap());
    return new KuduOptions(all);
  }

  /**
   * Like {@link #with}, for a table of a catalog, which has been loaded from the catalog's cluster.
   *
   * @throws IllegalArgumentException if another cluster or table is specified
   */
  public KuduOptions withFixedTable(String table, Map<String, String> perUse) {
    KuduOptions all = with(perUse);
    for (String name : TABLE_IDENTITY) {
      String given = all.text(name, null);
      if (given != null && !given.equals(text(name, null))) {
        throw new IllegalArgumentException(
            "Option "
                + name
                + " belongs to a catalog, and table "
                + table
                + " was loaded from its own cluster; set spark.sql.catalog.NAME."
                + name
                + " or use format(\"kudu\")");
      }
    }
    return all;
  }

  /** All options, as they were given. */
  public Map<String, String> asMap() {
    return options.asCaseSensitiveMap();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KuduOptions that && options.equals(that.options);
  }

  @Override
  public int hashCode() {
    return options.hashCode();
  }

  // ---------------------------------------------------------------- cluster and table

  /** How to reach the cluster. */
  public Connection connection() {
    return new Connection(
        text(MASTER, DEFAULT_MASTER),
        text(SASL_PROTOCOL_NAME, "kudu"),
        flag(REQUIRE_AUTHENTICATION, false),
        choice(ENCRYPTION_POLICY, List.of("optional", "required_remote", "required")),
        number(OPERATION_TIMEOUT_MS, 0, 0, Long.MAX_VALUE));
  }

  /** The name in Kudu of the table that {@code format("kudu")} reads or writes. */
  public String table() {
    String name = text(TABLE, null);
    if (name == null) {
      throw new IllegalArgumentException(
          "A table is missing; set it with option(\"" + TABLE + "\", \"db.table\")");
    }
    return name;
  }

  // ---------------------------------------------------------------- reading

  public ReplicaSelection replicaSelection() {
    return choice(SCAN_LOCALITY, List.of("closest_replica", "leader_only")).equals("leader_only")
        ? ReplicaSelection.LEADER_ONLY
        : ReplicaSelection.CLOSEST_REPLICA;
  }

  /**
   * Whether a scan continues on another replica if its server fails; its rows are then ordered by
   * key.
   */
  public boolean faultTolerantScan() {
    return flag(FAULT_TOLERANT_SCAN, false);
  }

  /** Approximate size of a batch. */
  public int batchBytes() {
    return Math.toIntExact(number(BATCH_SIZE, DEFAULT_BATCH_BYTES, 1, Integer.MAX_VALUE));
  }

  /** Timeout of one batch; empty for the client's default. */
  public OptionalLong scanRequestTimeoutMillis() {
    return optionalNumber(SCAN_REQUEST_TIMEOUT_MS, 1);
  }

  public long keepAlivePeriodMillis() {
    return number(KEEP_ALIVE_PERIOD_MS, DEFAULT_KEEP_ALIVE_MILLIS, 1, Long.MAX_VALUE);
  }

  /** Approximate number of bytes of a tablet that one task reads; empty for whole tablets. */
  public OptionalLong splitSizeBytes() {
    return optionalNumber(SPLIT_SIZE_BYTES, 1);
  }

  /**
   * Whether splits contain the table's schema and the tablets' locations, so tasks need not ask the
   * master.
   */
  public boolean useDriverMetadata() {
    return flag(USE_DRIVER_METADATA, true);
  }

  /**
   * Whether servers evaluate filters, samples, orders, limits and aggregates; otherwise Spark does,
   * with the same results.
   */
  public boolean pushDown() {
    return flag(PUSH_DOWN, true);
  }

  /** Whether runtime filters of a running query may narrow a scan. */
  public boolean runtimeFilters() {
    return pushDown() && flag(RUNTIME_FILTERS, true);
  }

  /** Which indexes servers may use. */
  public KuduIndexHint indexHint() {
    String text = text(INDEX_HINT, "optimizer");
    try {
      return KuduIndexHint.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("Option " + INDEX_HINT + ": " + e.getMessage(), e);
    }
  }

  /** The time to read at, in milliseconds since the epoch. */
  public OptionalLong snapshotTimestampMillis() {
    return optionalNumber(SNAPSHOT_TIMESTAMP_MS, 0);
  }

  /**
   * How old the snapshot may be that the servers choose; empty for a current one. It counts only
   * where a table is read, and is no default of a catalog or a table: statements that change rows
   * would then read old ones, and undo changes.
   *
   * @throws IllegalArgumentException if it is no duration, or a time to read at is set too
   */
  public Optional<Duration> freshness() {
    String text = text(FRESHNESS, "");
    if (text.isEmpty()) {
      return Optional.empty();
    }
    if (snapshotTimestampMillis().isPresent()) {
      throw new IllegalArgumentException(
          "Options " + FRESHNESS + " and " + SNAPSHOT_TIMESTAMP_MS + " cannot be combined");
    }
    Matcher duration = DURATION.matcher(text.toLowerCase(Locale.ROOT));
    if (!duration.matches()) {
      throw new IllegalArgumentException(
          "Option " + FRESHNESS + " must be a duration such as 30s (s m h), not " + text);
    }
    long amount = Long.parseLong(duration.group(1));
    return Optional.of(
        switch (duration.group(2)) {
          case "s" -> Duration.ofSeconds(amount);
          case "m" -> Duration.ofMinutes(amount);
          default -> Duration.ofHours(amount);
        });
  }

  // ---------------------------------------------------------------- changes

  /**
   * Where a read of changes begins.
   *
   * @param value a hybrid time of VERSION, microseconds since 1970 of TIME, else 0
   */
  public record Start(Kind kind, long value) {
    /** How it is given. */
    public enum Kind {
      BEGINNING,
      NOW,
      VERSION,
      TIME
    }

    public static final Start BEGINNING = new Start(Kind.BEGINNING, 0);
    public static final Start NOW = new Start(Kind.NOW, 0);
  }

  /** Where a read of changes begins; empty for its default. */
  public Optional<Start> changesFrom() {
    String text = text(CHANGES_FROM, "").toLowerCase(Locale.ROOT);
    if (text.isEmpty()) {
      return Optional.empty();
    } else if (text.equals("beginning")) {
      return Optional.of(Start.BEGINNING);
    } else if (text.equals("now")) {
      return Optional.of(Start.NOW);
    }
    try {
      if (text.matches("\\d{1,19}")) {
        return Optional.of(new Start(Start.Kind.VERSION, Long.parseLong(text)));
      }
      Instant time = Instant.parse(text.toUpperCase(Locale.ROOT));
      return Optional.of(
          new Start(Start.Kind.TIME, ChronoUnit.MICROS.between(Instant.EPOCH, time)));
    } catch (DateTimeParseException | NumberFormatException e) {
      throw invalid(
          CHANGES_FROM, text, "beginning, now, a version, or a time as 2026-11-21T09:30:00Z");
    }
  }

  /** The maximum number of changes of a batch of a stream; Long.MAX_VALUE for no maximum. */
  public long maxChangesPerTrigger() {
    return number(MAX_CHANGES_PER_TRIGGER, Long.MAX_VALUE, 1, Long.MAX_VALUE);
  }

  // ---------------------------------------------------------------- writing

  /** Whether all rows of a job become visible at once, or none. */
  public boolean atomic() {
    return flag(ATOMIC, false);
  }

  /** Whether {@link #ANY_SCHEMA} is set. */
  public boolean anySchema() {
    return flag(ANY_SCHEMA, false);
  }

  // ---------------------------------------------------------------- parsing

  /** The text of an option, or {@code otherwise} if it is not set. */
  public String text(String name, String otherwise) {
    String value = options.get(name);
    return value == null || value.isBlank() ? otherwise : value.strip();
  }

  /**
   * The names of a {@link NameList}; empty if the option is not set.
   *
   * @throws IllegalArgumentException for backquotes that do not enclose a name
   */
  public List<String> names(String name) {
    try {
      return NameList.parse(text(name, ""));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("Option " + name + ": " + e.getMessage(), e);
    }
  }

  public boolean flag(String name, boolean otherwise) {
    String value = text(name, Boolean.toString(otherwise)).toLowerCase(Locale.ROOT);
    if (!value.equals("true") && !value.equals("false")) {
      throw invalid(name, value, "true or false");
    }
    return value.equals("true");
  }

  public long number(String name, long otherwise, long min, long max) {
    String value = text(name, Long.toString(otherwise));
    try {
      long number = Long.parseLong(value);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // the exception is thrown below
    }
    throw invalid(name, value, "an integer from " + min + " to " + max);
  }

  private OptionalLong optionalNumber(String name, long min) {
    return text(name, null) == null
        ? OptionalLong.empty()
        : OptionalLong.of(number(name, min, min, Long.MAX_VALUE));
  }

  /**
   * One of several values, in lower case.
   *
   * @param words the values; the first is the default
   */
  public String choice(String name, List<String> words) {
    String value = text(name, words.get(0)).toLowerCase(Locale.ROOT);
    if (!words.contains(value)) {
      throw invalid(name, value, "one of " + String.join(", ", words));
    }
    return value;
  }

  private static IllegalArgumentException invalid(String name, String value, String wanted) {
    return new IllegalArgumentException(
        "Option " + name + " is '" + value + "', but must be " + wanted);
  }
}
