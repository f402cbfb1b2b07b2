package dev.kudu4j.mapreduce;

import dev.kudu4j.client.AsyncKuduClient;
import dev.kudu4j.client.KuduClient;
import org.apache.hadoop.conf.Configuration;

/**
 * The cluster options of a job's command line: {@code hadoop jar job.jar Job
 * -Dkudu.master.addresses=host:7051 ...}, with Hadoop's {@link org.apache.hadoop.util.ToolRunner}.
 */
public class CommandLineParser {
  public static final String MASTER_ADDRESSES_KEY = "kudu.master.addresses";
  public static final String MASTER_ADDRESSES_DEFAULT = "127.0.0.1";
  public static final String OPERATION_TIMEOUT_MS_KEY = "kudu.operation.timeout.ms";
  public static final long OPERATION_TIMEOUT_MS_DEFAULT =
      AsyncKuduClient.DEFAULT_OPERATION_TIMEOUT_MS;
  public static final String ADMIN_OPERATION_TIMEOUT_MS_KEY = "kudu.admin.operation.timeout.ms";
  public static final String NUM_REPLICAS_KEY = "kudu.num.replicas";
  public static final int NUM_REPLICAS_DEFAULT = 3;

  private final Configuration conf;

  public CommandLineParser(Configuration conf) {
    this.conf = conf;
  }

  public String getMasterAddresses() {
    return conf.get(MASTER_ADDRESSES_KEY, MASTER_ADDRESSES_DEFAULT);
  }

  public long getOperationTimeoutMs() {
    return conf.getLong(OPERATION_TIMEOUT_MS_KEY, OPERATION_TIMEOUT_MS_DEFAULT);
  }

  public long getAdminOperationTimeoutMs() {
    return conf.getLong(ADMIN_OPERATION_TIMEOUT_MS_KEY, OPERATION_TIMEOUT_MS_DEFAULT);
  }

  /** The number of replicas, for jobs that create their table. */
  public int getNumReplicas() {
    return conf.getInt(NUM_REPLICAS_KEY, NUM_REPLICAS_DEFAULT);
  }

  /** A client of the cluster in the options, which the caller must close. */
  public AsyncKuduClient getAsyncClient() {
    return new AsyncKuduClient.AsyncKuduClientBuilder(getMasterAddresses())
        .defaultOperationTimeoutMs(getOperationTimeoutMs())
        .defaultAdminOperationTimeoutMs(getAdminOperationTimeoutMs())
        .build();
  }

  /** A client of the cluster in the options, which the caller must close. */
  public KuduClient getClient() {
    return getAsyncClient().syncClient();
  }

  /** The options, as text for the usage of a job. */
  public static String getHelpSnippet() {
    return "\nCluster options:\n"
        + option(MASTER_ADDRESSES_KEY, "host:port,...", MASTER_ADDRESSES_DEFAULT)
        + option(OPERATION_TIMEOUT_MS_KEY, "ms", OPERATION_TIMEOUT_MS_DEFAULT)
        + option(ADMIN_OPERATION_TIMEOUT_MS_KEY, "ms", OPERATION_TIMEOUT_MS_DEFAULT)
        + option(NUM_REPLICAS_KEY, "replicas", NUM_REPLICAS_DEFAULT);
  }

  private static String option(String key, String value, Object otherwise) {
    return "  -D" + key + "=" + value + " (" + otherwise + ")\n";
  }
}
