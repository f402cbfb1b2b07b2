package dev.kudu4j.spark;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.spark.client.SharedClients;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One cluster and one session for all tests of the module: both take seconds to start. The catalog
 * {@code k} is the cluster. Each test uses its own table names.
 *
 * <p>With {@code -Dtest.masters=HOST:PORT} the tests use an existing cluster, for example one of
 * Apache Kudu; it should be empty and have three tablet servers. On Apache Kudu, tests with ZSTD,
 * TIMESTAMP_NTZ or splits of rows that are not flushed fail, as expected.
 */
public final class SparkOnKudu implements BeforeAllCallback {
  private static final ExtensionContext.Namespace HERE =
      ExtensionContext.Namespace.create(SparkOnKudu.class);

  /** Spark's default is true; in short tests most of the time would go into the compiler. */
  private static final String WHOLE_STAGE_CODE = System.getProperty("spark.codegen", "false");

  private Running running;

  @Override
  public void beforeAll(ExtensionContext context) {
    running =
        context
            .getRoot()
            .getStore(HERE)
            .getOrComputeIfAbsent(Running.class, key -> new Running(), Running.class);
  }

  /** The session, with the catalog {@code k}. */
  public SparkSession spark() {
    return running.spark;
  }

  /**
   * Ends a test on Spark 4.1.
   *
   * @param reason the feature that this version lacks
   */
  public void assumeSparkIsLaterThan41(String reason) {
    assumeFalse(spark().version().startsWith("4.1."), reason);
  }

  public String masterAddresses() {
    return running.masterAddresses;
  }

  public KuduClient client() {
    return running.client;
  }

  private static final class Running implements AutoCloseable {
    private final EmbeddedCluster cluster; // null for an existing cluster
    private final String masterAddresses;
    private final KuduClient client;
    private final SparkSession spark;

    Running() {
      String given = System.getProperty("test.masters");
      cluster = given == null ? startCluster() : null;
      masterAddresses = given == null ? cluster.masterAddresses() : given;
      client = new KuduClient.KuduClientBuilder(masterAddresses).build();
      spark = startSpark(masterAddresses);
    }

    private static EmbeddedCluster startCluster() {
      return EmbeddedCluster.builder()
          .memoryPerServerBytes(512L << 20)
          .masterFlag("--txn_manager_enabled")
          .tabletServerFlag("--flush_threshold_mb=8") // the larger tables are read from files too
          .start();
    }

    private static SparkSession startSpark(String masterAddresses) {
      return SparkSession.builder()
          .master("local[2,3]") // tasks may fail twice
          .appName("kudu-spark tests")
          .config("spark.ui.enabled", "false")
          .config("spark.driver.host", "127.0.0.1")
          .config("spark.driver.bindAddress", "127.0.0.1")
          .config("spark.sql.shuffle.partitions", "2")
          .config("spark.sql.session.timeZone", "UTC")
          .config("spark.sql.warehouse.dir", System.getProperty("java.io.tmpdir") + "/warehouse")
          .config("spark.sql.codegen.wholeStage", WHOLE_STAGE_CODE)
          .config("spark.sql.catalog.k", KuduCatalog.class.getName())
          .config("spark.sql.catalog.k.kudu.master", masterAddresses)
          .getOrCreate();
    }

    @Override
    public void close() throws KuduException {
      spark.stop();
      SharedClients.closeAll();
      client.close();
      if (cluster != null) {
        cluster.close();
      }
    }
  }
}
