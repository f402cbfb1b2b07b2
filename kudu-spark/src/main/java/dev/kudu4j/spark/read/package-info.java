/**
 * Reading: {@link dev.kudu4j.spark.read.KuduScanBuilder} collects the columns, predicates and limit
 * that Spark requests. The driver divides the scan into splits, which the executors read batch by
 * batch.
 */
package dev.kudu4j.spark.read;
