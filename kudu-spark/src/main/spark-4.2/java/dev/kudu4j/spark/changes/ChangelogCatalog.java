package dev.kudu4j.spark.changes;

import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.connector.catalog.Changelog;
import org.apache.spark.sql.connector.catalog.ChangelogContext;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A catalog whose tables can be read with {@code CHANGES FROM ... TO ...}. Spark has this statement
 * since version 4.2; for 4.1 there is another interface of this name, without the method.
 *
 * <p>Spark 4.1 loads this interface, too, if the connector was compiled for 4.2. So it has no code
 * for which the JVM must know classes that only 4.2 has: {@link TableChangelog} has that.
 */
public interface ChangelogCatalog extends TableCatalog {
  /**
   * The changes of a table.
   *
   * @param identifier of the table
   */
  ChangesTable changesOf(Identifier identifier) throws NoSuchTableException;

  @Override
  default Changelog loadChangelog(
      Identifier identifier, ChangelogContext context, CaseInsensitiveStringMap options)
      throws NoSuchTableException {
    return TableChangelog.of(changesOf(identifier), context);
  }
}
