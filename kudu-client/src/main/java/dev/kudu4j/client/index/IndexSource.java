package dev.kudu4j.client.index;

import dev.kudu4j.client.cluster.TableTablets;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.schema.Schema;

/**
 * A global index as a table that can be read.
 *
 * @param name of the index
 * @param tableName of the index's table
 * @param table the columns of the index's table, with ids
 */
public record IndexSource(
    String name,
    String tableName,
    Schema table,
    PartitionSchema partitions,
    TableTablets tablets) {}
