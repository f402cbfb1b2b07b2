package dev.kudu4j.tools.demo;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnTypeAttributes;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.PartialRow;
import java.util.List;

/**
 * A Kudu table for a TPC-H table.
 *
 * @param <T> the generator's type of a row
 */
interface TpchTable<T> {
  /** Precision and scale of amounts. */
  int PRECISION = 15;

  int CENTS = 2;

  String name();

  Schema schema();

  CreateTableOptions options();

  void fill(PartialRow row, T generated);

  static ColumnSchema key(String name, Type type) {
    return new ColumnSchema.ColumnSchemaBuilder(name, type).key(true).build();
  }

  static ColumnSchema column(String name, Type type) {
    return new ColumnSchema.ColumnSchemaBuilder(name, type).nullable(false).build();
  }

  static ColumnSchema amount(String name) {
    return new ColumnSchema.ColumnSchemaBuilder(name, Type.DECIMAL)
        .nullable(false)
        .typeAttributes(
            new ColumnTypeAttributes.ColumnTypeAttributesBuilder()
                .precision(PRECISION)
                .scale(CENTS)
                .build())
        .build();
  }

  /**
   * Options of a table that is hash partitioned, so that all servers are used, with the cluster's
   * default replication factor.
   */
  static CreateTableOptions hashed(String column, int tablets) {
    return new CreateTableOptions().addHashPartitions(List.of(column), tablets);
  }
}
