package dev.kudu4j.spark.procedure;

import dev.kudu4j.spark.catalog.LoadedTable;
import dev.kudu4j.spark.catalog.TableProperties;
import java.util.function.Function;

/** {@code add_range_partition(table, range)}. */
final class AddRangePartition extends RangeProcedure {
  AddRangePartition(Function<String, LoadedTable> tables) {
    super(tables, TableProperties.ADD_RANGE_PARTITIONS);
  }

  @Override
  public String name() {
    return "add_range_partition";
  }

  @Override
  public String description() {
    return "Adds ranges to a table, and returns all of its ranges";
  }
}
