package dev.kudu4j.spark.write;

import dev.kudu4j.Schema;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.PartitionSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.connector.distributions.Distribution;
import org.apache.spark.sql.connector.distributions.Distributions;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.SortDirection;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.apache.spark.sql.types.StructType;

/**
 * How rows are brought together and ordered before they are written, if that is asked for: those of
 * the same partition columns come to one task, which writes them by key. A task then has few places
 * to write to in each tablet; what it costs is a shuffle and a sort.
 */
record RowArrangement(Distribution distribution, SortOrder[] ordering) {
  private static final SortOrder[] UNORDERED = new SortOrder[0];

  static RowArrangement of(KuduTable table, WriteSettings settings, StructType data) {
    if (!settings.repartition()) {
      return new RowArrangement(Distributions.unspecified(), UNORDERED);
    }
    Schema schema = table.getSchema();
    Expression[] clustering =
        partitionColumns(table).stream()
            .map(name -> Expressions.column(nameIn(data, name)))
            .toArray(Expression[]::new);
    return new RowArrangement(
        clustering.length == 0
            ? Distributions.unspecified()
            : Distributions.clustered(clustering),
        settings.sort() ? byKey(schema, data) : UNORDERED);
  }

  private static Set<String> partitionColumns(KuduTable table) {
    PartitionSchema partitions = table.getPartitionSchema();
    List<Integer> ids = new ArrayList<>();
    partitions.getHashBucketSchemas().forEach(hash -> ids.addAll(hash.getColumnIds()));
    ids.addAll(partitions.getRangeSchema().getColumnIds());
    Set<String> names = new LinkedHashSet<>();
    Schema schema = table.getSchema();
    for (int id : ids) {
      names.add(schema.getColumnByIndex(schema.getColumnIndex(id)).getName());
    }
    return names;
  }

  private static SortOrder[] byKey(Schema schema, StructType data) {
    return schema.getPrimaryKeyColumns().stream()
        .filter(column -> !column.isAutoIncrementing())
        .map(column -> nameIn(data, column.getName()))
        .map(name -> Expressions.sort(Expressions.column(name), SortDirection.ASCENDING))
        .toArray(SortOrder[]::new);
  }

  /** As the data call a column of the table. */
  private static String nameIn(StructType data, String name) {
    return Arrays.stream(data.fieldNames())
        .filter(field -> field.equals(name))
        .findFirst()
        .orElseGet(
            () ->
                Arrays.stream(data.fieldNames())
                    .filter(name::equalsIgnoreCase)
                    .findFirst()
                    .orElse(name));
  }
}
