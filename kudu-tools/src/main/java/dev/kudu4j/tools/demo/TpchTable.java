package dev.kudu4j.tools.demo;

import java.util.List;
import org.apache.kudu.ColumnSchema;
import org.apache.kudu.ColumnTypeAttributes;
import org.apache.kudu.Schema;
import org.apache.kudu.Type;
import org.apache.kudu.client.CreateTableOptions;
import org.apache.kudu.client.PartialRow;

/**
 * A table of TPC-H as a Kudu table.
 *
 * @param <T> what the generator makes of a row
 */
interface TpchTable<T> {
  /** Digits of an amount, and those after the point. */
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

  /** Hashed, so that every server has work; replicated as the cluster does by default. */
  static CreateTableOptions hashed(String column, int tablets) {
    return new CreateTableOptions().addHashPartitions(List.of(column), tablets);
  }
}
