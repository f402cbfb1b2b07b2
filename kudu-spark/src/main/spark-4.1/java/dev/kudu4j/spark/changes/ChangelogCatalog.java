package dev.kudu4j.spark.changes;

import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.TableCatalog;

/** A catalog of tables that have changes. Spark 4.1 has no statement to read them. */
public interface ChangelogCatalog extends TableCatalog {
  /**
   * The changes of a table.
   *
   * @param identifier of the table
   */
  ChangesTable changesOf(Identifier identifier) throws NoSuchTableException;
}
