package dev.kudu4j.spark.write;

import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.spark.type.SparkTypes;
import java.util.List;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles data with columns that the table does not have. */
final class SchemaDrift {
  private static final Logger LOG = LoggerFactory.getLogger(SchemaDrift.class);

  private SchemaDrift() {}

  /** Adds the missing columns to the table, each nullable; does nothing if there are none. */
  static void follow(WriteTarget target, StructType data) {
    try {
      List<StructField> lacking =
          ColumnMatch.of(target.sparkName(), data, target.open().getSchema()).unknownColumns();
      if (lacking.isEmpty()) {
        return;
      }
      AlterTableOptions alter = new AlterTableOptions();
      for (StructField field : lacking) {
        alter.addColumn(
            SparkTypes.kuduColumn(field.name(), field.dataType()).nullable(true).build());
      }
      LOG.info("Adding to table {} the columns {}", target.sparkName(), lacking);
      target.connection().client().alterTable(target.kuduName(), alter);
    } catch (KuduException e) {
      throw target.failure(e);
    }
  }
}
