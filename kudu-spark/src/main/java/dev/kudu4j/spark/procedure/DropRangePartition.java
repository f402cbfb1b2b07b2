package dev.kudu4j.spark.procedure;

import dev.kudu4j.spark.catalog.LoadedTable;
import dev.kudu4j.spark.catalog.TableProperties;
import java.util.function.Function;

/** {@code drop_range_partition(table, range)}. The rows of the range are deleted. */
final class DropRangePartition extends RangeProcedure {
  DropRangePartition(Function<String, LoadedTable> tables) {
    super(tables, TableProperties.DROP_RANGE_PARTITIONS);
  }

  @Override
  public String name() {
    return "drop_range_partition";
  }

  @Override
  public String description() {
    return "Drops ranges of a table with their rows, and returns the remaining ranges";
  }
}
