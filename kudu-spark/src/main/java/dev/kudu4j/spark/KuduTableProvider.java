package dev.kudu4j.spark;

import dev.kudu4j.spark.catalog.TableName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.RuntimeConfig;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.SupportsCatalogOptions;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The format {@code kudu}, for programs that specify a cluster and a table instead of a catalog:
 *
 * <pre>{@code
 * spark.read().format("kudu").option("kudu.master", "m:7051").option("kudu.table", "db.t").load()
 * }</pre>
 *
 * <p>It creates a {@link KuduCatalog} in the session for each combination of masters and connection
 * options, so reads and writes are the same as those of SQL.
 */
public class KuduTableProvider implements SupportsCatalogOptions, DataSourceRegister {
  private static final String CATALOG_CONF = "spark.sql.catalog.";

  /** Options that determine the connection, and therefore the catalog. */
  private static final List<String> CONNECTION =
      List.of(
          KuduOptions.SASL_PROTOCOL_NAME,
          KuduOptions.REQUIRE_AUTHENTICATION,
          KuduOptions.ENCRYPTION_POLICY,
          KuduOptions.OPERATION_TIMEOUT_MS);

  @Override
  public String shortName() {
    return "kudu";
  }

  @Override
  public Identifier extractIdentifier(CaseInsensitiveStringMap options) {
    return TableName.identifier(KuduOptions.of(options.asCaseSensitiveMap()).table());
  }

  /** The catalog of the cluster in the options; creates it if the session has none. */
  @Override
  public String extractCatalog(CaseInsensitiveStringMap options) {
    KuduOptions all = KuduOptions.of(options.asCaseSensitiveMap());
    String masters = all.connection().masters();
    RuntimeConfig settings = SparkSession.active().conf();
    String name = "kudu_" + masters.replaceAll("[^A-Za-z0-9]", "_");
    if (!settings.get(CATALOG_CONF + name + "." + KuduOptions.MASTER, masters).equals(masters)) {
      // The name already belongs to another list of masters, which differs only in special
      // characters.
      name += "_" + Integer.toHexString(masters.hashCode());
    }
    for (String option : CONNECTION) {
      String value = all.text(option, null);
      if (value != null) {
        name += "_" + value.replaceAll("[^A-Za-z0-9]", "_");
      }
    }
    String conf = CATALOG_CONF + name;
    settings.set(conf, KuduCatalog.class.getName());
    settings.set(conf + "." + KuduOptions.MASTER, masters);
    settings.set(conf + "." + KuduOptions.ANY_SCHEMA, true);
    for (String option : CONNECTION) {
      String value = all.text(option, null);
      if (value != null) {
        settings.set(conf + "." + option, value);
      }
    }
    return name;
  }

  @Override
  public Optional<String> extractTimeTravelTimestamp(CaseInsensitiveStringMap options) {
    return Optional.empty();
  }

  /**
   * Fails. Spark calls this method only where it does not use the catalog: for streams, and for
   * USING in SQL.
   */
  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    throw withoutCatalog();
  }

  @Override
  public Table getTable(
      StructType schema, Transform[] partitioning, Map<String, String> properties) {
    throw withoutCatalog();
  }

  private static UnsupportedOperationException withoutCatalog() {
    return new UnsupportedOperationException(
        "Format kudu does not support streams and USING in Spark's own catalog; use a catalog of the"
            + " cluster: readStream.table(\"k.db.`t$changes`\"), writeStream.toTable(\"k.db.t\"),"
            + " CREATE TABLE k.db.t. Set spark.sql.catalog.k="
            + KuduCatalog.class.getName()
            + " and spark.sql.catalog.k.kudu.master");
  }
}
