package dev.kudu4j.client.feed;

import dev.kudu4j.client.cluster.Cluster;
import dev.kudu4j.client.cluster.ReplicaChoice;
import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.ProjectedColumns;

/**
 * What is read from the change feed of a table, independent of the tablet.
 *
 * @param columns the columns of the rows, with all key columns
 * @param layout of these columns
 * @param keyColumns the indexes of the key columns, in the order of the key
 * @param end changes from this hybrid time on are not read; Long.MAX_VALUE to follow for ever
 * @param batchBytes approximate size of a response
 * @param timeoutMillis timeout for one response, retries included
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record FeedQuery(
    Cluster cluster,
    ProjectedColumns columns,
    CellLayout layout,
    int[] keyColumns,
    ReplicaChoice replicaChoice,
    long end,
    int batchBytes,
    long timeoutMillis) {}
