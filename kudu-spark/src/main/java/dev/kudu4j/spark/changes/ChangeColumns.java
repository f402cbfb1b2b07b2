package dev.kudu4j.spark.changes;

import dev.kudu4j.Schema;
import dev.kudu4j.spark.type.SparkTypes;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** The columns of the changes of a table: what the change is, and the columns of the table. */
final class ChangeColumns {
  /** What the row is: of an insertion, before an update, after an update, or of a deletion. */
  static final String TYPE = "_change_type";

  /** The hybrid time of the change. */
  static final String VERSION = "_commit_version";

  /** The wall-clock time of the change. */
  static final String TIMESTAMP = "_commit_timestamp";

  /** The number of columns before those of the table. */
  static final int OWN = 3;

  private ChangeColumns() {}

  /**
   * @throws IllegalArgumentException if the table has a column with one of the names
   */
  static StructType of(String table, Schema schema) {
    StructType columns =
        new StructType()
            .add(TYPE, DataTypes.StringType, false)
            .add(VERSION, DataTypes.LongType, false)
            .add(TIMESTAMP, DataTypes.TimestampType, false);
    for (StructField column : SparkTypes.rowType(schema.getColumns()).fields()) {
      if (columns.getFieldIndex(column.name()).isDefined()) {
        throw new IllegalArgumentException(
            "The changes of table "
                + table
                + " cannot be read, because it has a column "
                + column.name()
                + " of its own; rename the column");
      }
      columns = columns.add(column);
    }
    return columns;
  }
}
