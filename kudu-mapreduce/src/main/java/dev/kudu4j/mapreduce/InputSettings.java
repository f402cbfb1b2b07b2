package dev.kudu4j.mapreduce;

import dev.kudu4j.client.AsyncKuduClient;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.InvalidJobConfException;

/**
 * The settings of a job's input table.
 *
 * @param projection names of columns; empty for all columns
 * @param encodedPredicates predicates in Base64, on one line; empty for none
 * @param splitSizeBytes 0 for one split per tablet
 * @param snapshot hybrid time of the snapshot to read; empty for the current time
 */
record InputSettings(
    ClusterAddress cluster,
    String table,
    Optional<List<String>> projection,
    String encodedPredicates,
    boolean cacheBlocks,
    boolean faultTolerant,
    long splitSizeBytes,
    int keepAliveMillis,
    OptionalLong snapshot) {
  /** Similar to the size of a mapper's input from HDFS. */
  static final long DEFAULT_SPLIT_SIZE_BYTES = 128L << 20;

  private static final String CONFIGURATOR =
      "configure the job with KuduTableMapReduceUtil.TableInputFormatConfigurator";
  private static final long NO_SNAPSHOT = -1;

  static InputSettings of(Configuration conf) throws InvalidJobConfException {
    JobSettings settings = new JobSettings(conf);
    long snapshot = settings.number(KuduTableInputFormat.SNAPSHOT_TIMESTAMP_KEY, NO_SNAPSHOT, 1);
    return new InputSettings(
        cluster(settings),
        settings.required(KuduTableInputFormat.INPUT_TABLE_KEY, "table to read", CONFIGURATOR),
        projection(conf.get(KuduTableInputFormat.COLUMN_PROJECTION_KEY)),
        checkedPredicates(conf.get(KuduTableInputFormat.ENCODED_PREDICATES_KEY, "")),
        settings.flag(KuduTableInputFormat.SCAN_CACHE_BLOCKS, false),
        settings.flag(KuduTableInputFormat.FAULT_TOLERANT_SCAN, false),
        settings.number(KuduTableInputFormat.SPLIT_SIZE_BYTES_KEY, DEFAULT_SPLIT_SIZE_BYTES, 0),
        settings.intNumber(
            KuduTableInputFormat.KEEP_ALIVE_PERIOD_MS_KEY,
            (int) AsyncKuduClient.DEFAULT_KEEP_ALIVE_PERIOD_MS,
            1),
        snapshot == NO_SNAPSHOT ? OptionalLong.empty() : OptionalLong.of(snapshot));
  }

  private static ClusterAddress cluster(JobSettings settings) throws InvalidJobConfException {
    return new ClusterAddress(
        settings.requiredOf(
            KuduTableInputFormat.MASTER_ADDRESSES_KEY,
            KuduTableOutputFormat.MASTER_ADDRESSES_KEY,
            "masters to read from (host:port,...)",
            CONFIGURATOR),
        settings.number(
            KuduTableInputFormat.OPERATION_TIMEOUT_MS_KEY,
            AsyncKuduClient.DEFAULT_OPERATION_TIMEOUT_MS,
            1));
  }

  /**
   * Returns empty, which means all columns, for {@code *} or an unset key (null). Returns an empty
   * list, which means rows without cells, for empty text.
   */
  private static Optional<List<String>> projection(String text) {
    if (text == null || text.trim().equals("*")) {
      return Optional.empty();
    }
    return Optional.of(
        Arrays.stream(text.split(",")).map(String::trim).filter(name -> !name.isEmpty()).toList());
  }

  private static String checkedPredicates(String text) throws InvalidJobConfException {
    try {
      Base64.getDecoder().decode(text);
      return text;
    } catch (IllegalArgumentException e) {
      throw new InvalidJobConfException(
          KuduTableInputFormat.ENCODED_PREDICATES_KEY
              + " contains no predicates; add them with"
              + " TableInputFormatConfigurator.addPredicate",
          e);
    }
  }

  /** Predicates in the format of {@link dev.kudu4j.client.KuduPredicate#serialize}. */
  byte[] predicates() {
    return Base64.getDecoder().decode(encodedPredicates);
  }
}
