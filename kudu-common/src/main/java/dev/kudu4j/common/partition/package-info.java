/**
 * How a table is split. {@link dev.kudu4j.common.partition.PartitionSchema} says how (hash
 * dimensions, range columns, ranges with their own hashing); {@link
 * dev.kudu4j.common.partition.Partition} is one tablet's slice of the key space.
 *
 * <p>Start with {@link dev.kudu4j.common.partition.TablePartitions}: it makes the partitions of a
 * new table, and adds and drops ranges. {@link dev.kudu4j.common.partition.RangeRows} reads bounds
 * and split rows; {@link dev.kudu4j.common.partition.PartitionKeyEncoder} finds the partition key
 * of each row written.
 *
 * <p>Bad hashing and bad columns are a {@link dev.kudu4j.common.schema.SchemaException}; bad ranges
 * a plain {@link dev.kudu4j.common.status.KuduException}. The master's error codes follow from
 * that.
 */
@NullMarked
package dev.kudu4j.common.partition;

import org.jspecify.annotations.NullMarked;
