package dev.kudu4j.spark.partitions;

import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.spark.catalog.TableDescription;
import java.util.List;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * The ranges of a table as text, in order, in one column, named as in Impala after the range
 * columns.
 *
 * @param hashing whether each range is followed by its hash schema
 */
record RangeList(KuduTable table, boolean hashing) implements PartitionList {
  RangeList {
    if (TableDescription.rangeColumns(table).isEmpty()) {
      throw new IllegalArgumentException(
          "Table "
              + table.getName()
              + " has no range partitions; SHOW PARTITIONS shows its hash partitions");
    }
  }

  @Override
  public StructType columns() {
    String columns = String.join(", ", TableDescription.rangeColumns(table));
    return new StructType()
        .add(
            "RANGE (" + columns + ")" + (hashing ? " HASH SCHEMA" : ""),
            DataTypes.StringType,
            false);
  }

  @Override
  public List<Object[]> rows() throws KuduException {
    List<String> ranges =
        hashing
            ? table.getFormattedRangePartitionsWithHashSchema(TIMEOUT_MILLIS)
            : table.getFormattedRangePartitions(TIMEOUT_MILLIS);
    return ranges.stream().map(range -> new Object[] {range}).toList();
  }
}
