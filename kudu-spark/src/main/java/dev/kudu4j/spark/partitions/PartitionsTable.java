package dev.kudu4j.spark.partitions;

import dev.kudu4j.client.KuduException;
import dev.kudu4j.spark.client.ClusterErrors;
import java.util.Arrays;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.LocalScan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apache.spark.unsafe.types.UTF8String;
import scala.jdk.javaapi.CollectionConverters;

/** A metadata table, which the driver reads from the master without a job. */
record PartitionsTable(String name, PartitionList list) implements SupportsRead {
  @Override
  public Column[] columns() {
    return Arrays.stream(list.columns().fields())
        .map(field -> Column.create(field.name(), field.dataType(), field.nullable()))
        .toArray(Column[]::new);
  }

  @Override
  public Set<TableCapability> capabilities() {
    return Set.of(TableCapability.BATCH_READ);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    return () -> new Scan(name, list);
  }

  /** The name in Spark's messages. */
  @Override
  public String toString() {
    return name;
  }

  private record Scan(String name, PartitionList list) implements LocalScan {
    @Override
    public StructType readSchema() {
      return list.columns();
    }

    @Override
    public InternalRow[] rows() {
      try {
        return list.rows().stream().map(Scan::row).toArray(InternalRow[]::new);
      } catch (KuduException e) {
        throw ClusterErrors.of(name, e);
      }
    }

    private static InternalRow row(Object[] cells) {
      Object[] internal =
          Arrays.stream(cells)
              .map(cell -> cell instanceof String text ? UTF8String.fromString(text) : cell)
              .toArray();
      return InternalRow.fromSeq(CollectionConverters.asScala(Arrays.asList(internal)).toSeq());
    }

    @Override
    public String description() {
      return name;
    }
  }
}
