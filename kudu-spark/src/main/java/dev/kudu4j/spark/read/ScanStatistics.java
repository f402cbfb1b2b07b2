package dev.kudu4j.spark.read;

import dev.kudu4j.client.KuduException;
import dev.kudu4j.spark.table.KuduSparkTable;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.types.StructType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How much a scan will bring, as far as is known: the rows of the table, as its servers last told
 * the master, and the width of the columns. Rather too much than too little, since Spark sends what
 * it believes to be small to every executor: predicates are not guessed at, and a table that is
 * said to be empty may have been filled a second ago, so its size is left unknown.
 */
record ScanStatistics(OptionalLong sizeInBytes, OptionalLong numRows) implements Statistics {
  private static final Logger LOG = LoggerFactory.getLogger(ScanStatistics.class);
  private static final int ROW_OVERHEAD_BYTES = 8;

  static ScanStatistics estimate(KuduSparkTable table, StructType columns, OptionalInt limit) {
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

  private static long liveRows(KuduSparkTable table) {
    try {
      return table.kuduTable().getTableStatistics().getLiveRowCount();
    } catch (KuduException e) {
      LOG.debug("No statistics of table {}", table.name(), e);
      return 0;
    }
  }
}
