package dev.kudu4j.spark;

import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.spark.client.SharedClients;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One cluster and one session for all tests of the module: both take seconds to start. The catalog
 * {@code k} is the cluster. Tests make tables with names of their own.
 */
public final class SparkOnKudu implements BeforeAllCallback {
  private static final ExtensionContext.Namespace HERE =
      ExtensionContext.Namespace.create(SparkOnKudu.class);

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

  public EmbeddedCluster cluster() {
    return running.cluster;
  }

  private static final class Running implements AutoCloseable {
    private final EmbeddedCluster cluster =
        EmbeddedCluster.builder()
            .memoryPerServerBytes(512L << 20)
            .tabletServerFlag("--flush_threshold_mb=8") // the larger tables are read from files too
            .start();
    private final SparkSession spark =
        SparkSession.builder()
            .master("local[2,3]") // tasks may fail twice
            .appName("kudu-spark tests")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.warehouse.dir", System.getProperty("java.io.tmpdir") + "/warehouse")
            .config("spark.sql.catalog.k", KuduCatalog.class.getName())
            .config("spark.sql.catalog.k.kudu.master", cluster.masterAddresses())
            .getOrCreate();

    @Override
    public void close() {
      spark.stop();
      SharedClients.closeAll();
      cluster.close();
    }
  }
}
