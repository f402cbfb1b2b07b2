package dev.kudu4j.spark.changes;

import dev.kudu4j.client.ReplicaSelection;
import dev.kudu4j.spark.client.Connection;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.types.StructType;

/**
 * The changes of one tablet between two times, for one task.
 *
 * @param schema of the rows that Spark expects
 * @param from hybrid time, inclusive
 * @param until hybrid time, exclusive
 */
record ChangeSplit(
    Connection connection,
    String tableId,
    String tablet,
    StructType schema,
    long from,
    long until,
    int batchBytes,
    ReplicaSelection replicas)
    implements InputPartition {}
