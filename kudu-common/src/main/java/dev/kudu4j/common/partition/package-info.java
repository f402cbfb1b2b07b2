/**
 * How a table is split: {@code PartitionSchema} (hash dimensions, range columns, ranges with their
 * own hashing), {@code Partition} (one tablet's slice of the key space), and the making of
 * partitions from bounds and split rows.
 */
package dev.kudu4j.common.partition;
