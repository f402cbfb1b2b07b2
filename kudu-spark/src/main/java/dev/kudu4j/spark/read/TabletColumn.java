package dev.kudu4j.spark.read;

import dev.kudu4j.Schema;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.connector.catalog.MetadataColumn;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * The metadata column {@code _tablet}: the id of the tablet that contains a row. Splits contain the
 * id; servers do not send it. A column of the table with this name hides it.
 */
public final class TabletColumn implements MetadataColumn {
  private static final String NAME = "_tablet";
  private static final int ABSENT = -1;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public DataType dataType() {
    return DataTypes.StringType;
  }

  @Override
  public boolean isNullable() {
    return false;
  }

  @Override
  public String comment() {
    return "the id of the tablet that contains the row";
  }

  /** The index of the metadata column in what Spark requests; negative if absent. */
  static int indexIn(StructType columns, Schema table) {
    return table.hasColumn(NAME) ? ABSENT : Arrays.asList(columns.fieldNames()).indexOf(NAME);
  }

  /** The names of the columns without the metadata column. */
  static List<String> withoutIt(StructType columns, Schema table) {
    int index = indexIn(columns, table);
    return Arrays.stream(columns.fieldNames())
        .filter(name -> index < 0 || !name.equals(NAME))
        .toList();
  }
}
