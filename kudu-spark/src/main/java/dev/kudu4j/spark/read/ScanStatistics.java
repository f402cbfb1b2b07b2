package dev.kudu4j.spark.read;

import dev.kudu4j.client.KuduException;
import dev.kudu4j.spark.catalog.LoadedTable;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.types.StructType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The estimated size of a scan: the table's row count, as its servers last reported it to the
 * master, and the width of the columns. It should not be too low, since Spark broadcasts small
 * tables. Therefore predicates are not estimated, and the size of a table that is reported as empty
 * is unknown, since it may have been loaded just now.
 */
record ScanStatistics(OptionalLong sizeInBytes, OptionalLong numRows) implements Statistics {
  private static final Logger LOG = LoggerFactory.getLogger(ScanStatistics.class);
  private static final int ROW_OVERHEAD_BYTES = 8;

  static ScanStatistics estimate(LoadedTable table, StructType columns, OptionalInt limit) {
    long rows = liveRows(table);
    if (limit.isPresent()) {
      rows = rows == 0 ? limit.getAsInt() : Math.min(rows, limit.getAsInt());
    }
    if (rows == 0) {
      return new ScanStatistics(OptionalLong.empty(), OptionalLong.empty());
    }
    long rowBytes = ROW_OVERHEAD_BYTES + (long) columns.defaultSize();
    return new ScanStatistics(
        OptionalLong.of(Math.multiplyExact(rows, rowBytes)), OptionalLong.of(rows));
  }

  private static long liveRows(LoadedTable table) {
    try {
      return table.kuduTable().getTableStatistics().getLiveRowCount();
    } catch (KuduException e) {
      LOG.debug("No statistics of table {}", table.name(), e);
      return 0;
    }
  }
}
