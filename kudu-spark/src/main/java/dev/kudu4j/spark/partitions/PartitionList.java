package dev.kudu4j.spark.partitions;

import dev.kudu4j.client.KuduException;
import java.util.List;
import org.apache.spark.sql.types.StructType;

/** The columns and the rows of a metadata table. */
interface PartitionList {
  long TIMEOUT_MILLIS = 30_000;

  StructType columns();

  /**
   * The current rows: strings and integers. Asks the master.
   *
   * @throws KuduException if the master does not answer
   */
  List<Object[]> rows() throws KuduException;
}
