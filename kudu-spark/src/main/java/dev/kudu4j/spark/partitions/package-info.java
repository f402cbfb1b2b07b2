/**
 * The partitions of a table, as tables that queries can read: {@link
 * dev.kudu4j.spark.partitions.PartitionsOf}.
 */
package dev.kudu4j.spark.partitions;
