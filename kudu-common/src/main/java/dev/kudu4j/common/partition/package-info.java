/**
 * The partitioning of a table. {@link dev.kudu4j.common.partition.PartitionSchema} describes it
 * (hash dimensions, range columns, ranges with their own hash schema); {@link
 * dev.kudu4j.common.partition.Partition} is the key range of one tablet.
 *
 * <p>Start with {@link dev.kudu4j.common.partition.TablePartitions}, which computes the partitions
 * of a new table, and adds and drops ranges. {@link dev.kudu4j.common.partition.RangeRows} reads
 * bounds and split rows; {@link dev.kudu4j.common.partition.PartitionKeyEncoder} computes the
 * partition key of a row.
 *
 * <p>Invalid hash schemas and columns throw a {@link dev.kudu4j.common.schema.SchemaException},
 * invalid ranges a plain {@link dev.kudu4j.common.status.KuduException}. The master derives its
 * error codes from the class of the exception.
 */
@NullMarked
package dev.kudu4j.common.partition;

import org.jspecify.annotations.NullMarked;
