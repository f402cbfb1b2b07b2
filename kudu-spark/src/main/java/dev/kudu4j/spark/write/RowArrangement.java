package dev.kudu4j.spark.write;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.spark.catalog.TableDescription;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.connector.distributions.Distribution;
import org.apache.spark.sql.connector.distributions.Distributions;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.SortDirection;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.apache.spark.sql.types.StructType;

/**
 * The distribution and order of rows before a write, if requested: the rows of a tablet go to one
 * task, which writes them in key order. This costs a shuffle and a sort.
 */
record RowArrangement(Distribution distribution, List<SortOrder> ordering) {

  static RowArrangement of(KuduTable table, WriteSettings settings, StructType data) {
    if (!settings.repartition()) {
      return new RowArrangement(Distributions.unspecified(), List.of());
    }
    return new RowArrangement(
        byTablet(table, data), settings.sort() ? byKey(table, data) : List.of());
  }

  private static Distribution byTablet(KuduTable table, StructType data) {
    List<String> columns = TableDescription.partitionColumns(table);
    if (columns.isEmpty()) {
      return Distributions.unspecified(); // there is only one tablet
    }
    List<Expression> arguments = new ArrayList<>();
    arguments.add(Expressions.literal(table.getName()));
    columns.forEach(column -> arguments.add(Expressions.column(nameIn(data, column))));
    return Distributions.clustered(
        new Expression[] {
          Expressions.apply(TabletFunction.NAME, arguments.toArray(new Expression[0]))
        });
  }

  private static List<SortOrder> byKey(KuduTable table, StructType data) {
    return table.getSchema().getPrimaryKeyColumns().stream()
        .filter(column -> !column.isAutoIncrementing())
        .map(ColumnSchema::getName)
        .map(name -> Expressions.column(nameIn(data, name)))
        .map(column -> Expressions.sort(column, SortDirection.ASCENDING))
        .toList();
  }

  /** The name of a column of the table in the data, in a form that Spark parses. */
  private static String nameIn(StructType data, String name) {
    List<String> fields = Arrays.asList(data.fieldNames());
    String found =
        fields.contains(name)
            ? name
            : fields.stream().filter(name::equalsIgnoreCase).findFirst().orElse(name);
    return "`" + found.replace("`", "``") + "`";
  }
}
