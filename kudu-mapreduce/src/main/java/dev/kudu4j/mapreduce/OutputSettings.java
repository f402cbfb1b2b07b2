package dev.kudu4j.mapreduce;

import dev.kudu4j.client.AsyncKuduClient;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.InvalidJobConfException;

/**
 * The settings of a job's output table.
 *
 * @param bufferRows number of operations per batch
 * @param ignoreDuplicates whether inserts of existing rows succeed
 * @param ignoreMissing whether updates and deletes of missing rows succeed
 */
record OutputSettings(
    ClusterAddress cluster,
    String table,
    int bufferRows,
    boolean ignoreDuplicates,
    boolean ignoreMissing) {
  static final int DEFAULT_BUFFER_ROWS = 1_000;

  private static final String CONFIGURATOR =
      "configure the job with KuduTableMapReduceUtil.TableOutputFormatConfigurator";

  static OutputSettings of(Configuration conf) throws InvalidJobConfException {
    JobSettings settings = new JobSettings(conf);
    return new OutputSettings(
        cluster(settings),
        settings.required(KuduTableOutputFormat.OUTPUT_TABLE_KEY, "table to write", CONFIGURATOR),
        settings.intNumber(KuduTableOutputFormat.BUFFER_ROW_COUNT_KEY, DEFAULT_BUFFER_ROWS, 1),
        settings.flag(KuduTableOutputFormat.IGNORE_DUPLICATES_KEY, false),
        settings.flag(KuduTableOutputFormat.IGNORE_MISSING_KEY, false));
  }

  private static ClusterAddress cluster(JobSettings settings) throws InvalidJobConfException {
    return new ClusterAddress(
        settings.requiredOf(
            KuduTableOutputFormat.MASTER_ADDRESSES_KEY,
            KuduTableInputFormat.MASTER_ADDRESSES_KEY,
            "masters to write to (host:port,...)",
            CONFIGURATOR),
        settings.number(
            KuduTableOutputFormat.OPERATION_TIMEOUT_MS_KEY,
            AsyncKuduClient.DEFAULT_OPERATION_TIMEOUT_MS,
            1));
  }
}
