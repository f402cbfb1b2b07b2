/**
 * Reading: what Spark asks for is collected by {@link dev.kudu4j.spark.read.KuduScanBuilder}, cut
 * into splits on the driver, and read batch by batch on the executors.
 */
package dev.kudu4j.spark.read;
