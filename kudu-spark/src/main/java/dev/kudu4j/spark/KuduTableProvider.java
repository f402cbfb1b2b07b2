package dev.kudu4j.spark;

import dev.kudu4j.spark.catalog.TableName;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.SupportsCatalogOptions;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The format {@code kudu}, for who names a cluster and a table instead of a catalog:
 *
 * <pre>{@code
 * spark.read().format("kudu").option("kudu.master", "m:7051").option("kudu.table", "db.t").load()
 * }</pre>
 *
 * <p>It is a {@link KuduCatalog} that the session gets on the spot, one a list of masters; so reads
 * and writes are the very same as those of SQL.
 */
public final class KuduTableProvider implements SupportsCatalogOptions, DataSourceRegister {
  private static final String CATALOG_CONF = "spark.sql.catalog.";

  @Override
  public String shortName() {
    return "kudu";
  }

  @Override
  public Identifier extractIdentifier(CaseInsensitiveStringMap options) {
    return TableName.identifier(KuduOptions.of(options.asCaseSensitiveMap()).table());
  }

  /** The catalog of the cluster that the options name; made, if the session has none. */
  @Override
  public String extractCatalog(CaseInsensitiveStringMap options) {
    String masters = KuduOptions.of(options.asCaseSensitiveMap()).connection().masters();
    SparkSession session = SparkSession.active();
    String name = "kudu_" + masters.replaceAll("[^A-Za-z0-9]", "_");
    session.conf().set(CATALOG_CONF + name, KuduCatalog.class.getName());
    session.conf().set(CATALOG_CONF + name + "." + KuduOptions.MASTER, masters);
    session.conf().set(CATALOG_CONF + name + "." + KuduOptions.ANY_SCHEMA, true);
    return name;
  }

  @Override
  public Optional<String> extractTimeTravelTimestamp(CaseInsensitiveStringMap options) {
    return Optional.empty();
  }

  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    throw viaCatalog();
  }

  @Override
  public Table getTable(
      StructType schema, Transform[] partitioning, Map<String, String> properties) {
    throw viaCatalog();
  }

  private static UnsupportedOperationException viaCatalog() {
    return new UnsupportedOperationException(
        "Tables of format kudu are loaded through a catalog; configure one:"
            + " spark.sql.catalog.k="
            + KuduCatalog.class.getName());
  }
}
