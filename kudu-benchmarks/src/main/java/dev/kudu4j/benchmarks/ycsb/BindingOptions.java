package dev.kudu4j.benchmarks.ycsb;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;

/**
 * The properties of the binding, including YCSB's own {@code table}, {@code fieldcount} and {@code
 * fieldnameprefix}. Properties that also existed in YCSB's former binding for Apache Kudu have the
 * same names.
 *
 * @param masters {@code kudu_master_addresses}: HOST:PORT of each master, with commas between
 * @param createTable {@code kudu_create_table}: whether a missing table is created
 * @param replicas {@code kudu_table_num_replicas}: number of replicas of each tablet; the cluster's
 *     default when unset
 * @param hashPartitions {@code kudu_hash_partitions}: number of hash buckets of the key; 1 for no
 *     hash partitioning
 * @param rangeSplits {@code kudu_range_splits}: keys at which ranges begin. If unset, there are
 *     {@code kudu_range_partitions} ranges, which are equally large for the keys of {@code
 *     insertorder=hashed}
 * @param blockSize {@code kudu_block_size}: size of a column's blocks in bytes; the server's choice
 *     when unset
 * @param syncOps {@code kudu_sync_ops}: whether each write waits for its acknowledgement
 * @param batchOps {@code kudu_buffer_num_ops}: number of writes in a batch if {@code syncOps} is
 *     false
 * @param insertIsUpsert {@code kudu_insert}: whether an insert overwrites an existing record
 * @param scanInKeyOrder {@code kudu_scan_order}: whether a scan returns the next records in key
 *     order ({@code key}) or any records with later keys ({@code any}), which usually reads only
 *     one tablet
 * @param readMode {@code kudu_read_mode}: freshness of reads
 */
public record BindingOptions(
    String masters,
    String table,
    List<String> fields,
    boolean createTable,
    OptionalInt replicas,
    int hashPartitions,
    List<String> rangeSplits,
    OptionalInt blockSize,
    boolean syncOps,
    int batchOps,
    boolean insertIsUpsert,
    boolean scanInKeyOrder,
    ReadFreshness readMode) {
  /** The names of Kudu's read modes. */
  public enum ReadFreshness {
    READ_LATEST,
    READ_YOUR_WRITES,
    READ_AT_SNAPSHOT
  }

  static final String MASTERS = "kudu_master_addresses";
  static final String REPLICAS = "kudu_table_num_replicas";
  static final String HASH_PARTITIONS = "kudu_hash_partitions";
  static final String RANGE_PARTITIONS = "kudu_range_partitions";
  static final String SYNC_OPS = "kudu_sync_ops";
  static final String BATCH_OPS = "kudu_buffer_num_ops";

  /**
   * Property of YCSB's former binding: the number of hash or range partitions; {@link
   * #PARTITIONED_BY} specifies which kind.
   */
  private static final String TABLETS = "kudu_pre_split_num_tablets";

  private static final String PARTITIONED_BY = "kudu_partition_schema";

  private static final int DEFAULT_TABLETS = 4;
  private static final int DEFAULT_BATCH_OPS = 1_000;

  /**
   * A hashed key is {@code user} and a number below 2^63, which is about 9.223 * 10^18, without
   * leading zeros. Nearly all these numbers have 19 digits, and sort as text like their leading
   * digits. Written as decimal fractions, the leading digits are between 1.0 and this value.
   */
  private static final double HIGHEST_LEADING_PART = 9.223;

  /** Reads the properties. The exception for an invalid property contains the property's name. */
  public static BindingOptions of(Properties properties) {
    int hash = number(properties, HASH_PARTITIONS, oldTablets(properties, "hashPartition"), 1);
    int ranges = number(properties, RANGE_PARTITIONS, oldTablets(properties, "rangePartition"), 1);
    if (isPartitioningUnset(properties)) {
      ranges = number(properties, TABLETS, DEFAULT_TABLETS, 1);
    }
    return new BindingOptions(
        properties.getProperty(MASTERS, "127.0.0.1:7051"),
        properties.getProperty("table", "usertable"),
        fields(properties),
        flag(properties, "kudu_create_table", true),
        optionalNumber(properties, REPLICAS),
        hash,
        splits(properties).orElse(equalRanges(ranges)),
        optionalNumber(properties, "kudu_block_size"),
        flag(properties, SYNC_OPS, true),
        number(properties, BATCH_OPS, DEFAULT_BATCH_OPS, 1),
        choice(properties, "kudu_insert", "insert", "upsert").equals("upsert"),
        choice(properties, "kudu_scan_order", "key", "any").equals("key"),
        ReadFreshness.valueOf(
            choice(
                    properties,
                    "kudu_read_mode",
                    "read_latest",
                    "read_your_writes",
                    "read_at_snapshot")
                .toUpperCase(Locale.ROOT)));
  }

  private static boolean isPartitioningUnset(Properties properties) {
    return properties.getProperty(HASH_PARTITIONS) == null
        && properties.getProperty(RANGE_PARTITIONS) == null
        && properties.getProperty(PARTITIONED_BY) == null;
  }

  private static int oldTablets(Properties properties, String kind) {
    String partitionedBy = properties.getProperty(PARTITIONED_BY);
    if (partitionedBy == null || !partitionedBy.equals(kind)) {
      return 1;
    }
    return number(properties, TABLETS, DEFAULT_TABLETS, 1);
  }

  private static List<String> fields(Properties properties) {
    String prefix = properties.getProperty("fieldnameprefix", "field");
    int count = number(properties, "fieldcount", 10, 1);
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      fields.add(prefix + i);
    }
    return List.copyOf(fields);
  }

  private static Optional<List<String>> splits(Properties properties) {
    String keys = properties.getProperty("kudu_range_splits");
    return Optional.ofNullable(keys)
        .map(text -> Arrays.stream(text.split(",", -1)).map(String::trim).sorted().toList());
  }

  static List<String> equalRanges(int count) {
    List<String> splits = new ArrayList<>();
    for (int i = 1; i < count; i++) {
      double leading = 1 + (HIGHEST_LEADING_PART - 1) * i / count;
      splits.add("user" + Math.round(leading * 1e6));
    }
    return List.copyOf(splits);
  }

  private static OptionalInt optionalNumber(Properties properties, String name) {
    return properties.getProperty(name) == null
        ? OptionalInt.empty()
        : OptionalInt.of(number(properties, name, 1, 1));
  }

  private static int number(Properties properties, String name, int absent, int min) {
    String text = properties.getProperty(name);
    if (text == null) {
      return absent;
    }
    try {
      int value = Integer.parseInt(text.trim());
      if (value >= min) {
        return value;
      }
    } catch (NumberFormatException e) {
      // The exception below reports it.
    }
    throw new IllegalArgumentException(
        name + " must be a whole number of at least " + min + ", not '" + text + "'");
  }

  private static boolean flag(Properties properties, String name, boolean absent) {
    return choice(properties, name, Boolean.toString(absent), Boolean.toString(!absent))
        .equals("true");
  }

  /** The value of a property that must be one of the words, of which the first is the default. */
  private static String choice(Properties properties, String name, String... words) {
    String text = properties.getProperty(name, words[0]).trim().toLowerCase(Locale.ROOT);
    if (!Arrays.asList(words).contains(text)) {
      throw new IllegalArgumentException(
          name + " must be one of " + String.join(", ", words) + ", not '" + text + "'");
    }
    return text;
  }
}
