package dev.kudu4j.spark.procedure;

import dev.kudu4j.spark.catalog.LoadedTable;
import dev.kudu4j.spark.client.Connection;
import dev.kudu4j.spark.statistics.AnalyzedTables;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.procedures.UnboundProcedure;

/** The procedures of a catalog, in its namespace {@code system}. */
public final class Procedures {
  private static final String NAMESPACE = "system";

  private final String catalog;
  private final List<DriverProcedure> all;

  /**
   * @param catalog its name in SQL
   * @param connection to the catalog's cluster
   * @param tables loads a table by its name in the catalog, or fails if it does not exist
   * @param analyzed keeps the results of CALL analyze
   */
  public Procedures(
      String catalog,
      Connection connection,
      Function<String, LoadedTable> tables,
      AnalyzedTables analyzed) {
    this.catalog = catalog;
    this.all =
        List.of(
            new AddRangePartition(tables),
            new DropRangePartition(tables),
            new TabletList(tables),
            new TabletStatistics(tables),
            new Analyze(tables, analyzed),
            new ColumnStatistics(tables),
            new Compact(tables),
            new Rebalance(connection));
  }

  /** Lists the procedures of a namespace. */
  public Identifier[] list(String[] namespace) {
    return isOurs(namespace)
        ? all.stream()
            .map(procedure -> Identifier.of(namespace, procedure.name()))
            .toArray(Identifier[]::new)
        : new Identifier[0];
  }

  /**
   * @throws IllegalArgumentException if the procedure does not exist
   */
  public UnboundProcedure load(Identifier identifier) {
    return all.stream()
        .filter(procedure -> isOurs(identifier.namespace()))
        .filter(procedure -> procedure.name().equalsIgnoreCase(identifier.name()))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "Procedure "
                        + catalog
                        + "."
                        + identifier
                        + " does not exist; there are "
                        + all.stream()
                            .map(known -> catalog + "." + NAMESPACE + "." + known.name())
                            .collect(Collectors.joining(", "))));
  }

  private static boolean isOurs(String[] namespace) {
    return Arrays.equals(namespace, new String[] {NAMESPACE});
  }
}
