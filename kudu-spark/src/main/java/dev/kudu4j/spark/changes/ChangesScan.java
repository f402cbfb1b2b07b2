package dev.kudu4j.spark.changes;

import dev.kudu4j.spark.KuduOptions;
import dev.kudu4j.spark.catalog.LoadedTable;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.types.StructType;

/**
 * A read of the changes of a table: those up to now, or a stream of them.
 *
 * @param whyNoStream what a stream does not have; empty if there may be one
 */
record ChangesScan(
    String name,
    LoadedTable table,
    KuduOptions options,
    StructType columns,
    TimeBounds bounds,
    Optional<String> whyNoStream)
    implements Scan, Batch {
  @Override
  public StructType readSchema() {
    return columns;
  }

  @Override
  public String description() {
    return name;
  }

  @Override
  public Batch toBatch() {
    return this;
  }

  @Override
  public InputPartition[] planInputPartitions() {
    ChangeSource source = new ChangeSource(table, options);
    long from = Math.max(bounds.from(), source.start(KuduOptions.Start.BEGINNING));
    long until = Math.min(bounds.until(), source.now());
    List<String> tablets = source.tablets();
    return source.splits(ChangesOffset.at(from, tablets), ChangesOffset.at(until, tablets));
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return ChangeReader.factory(table.name());
  }

  /** The bounds of predicates count for each batch, since Spark evaluates them. */
  @Override
  public MicroBatchStream toMicroBatchStream(String checkpointLocation) {
    if (whyNoStream.isPresent()) {
      throw new IllegalArgumentException(
          "A stream of the changes of table " + name + " " + whyNoStream.get());
    }
    return new ChangesStream(new ChangeSource(table, options), table.name(), checkpointLocation);
  }
}
