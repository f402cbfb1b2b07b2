/** A table for Spark's planner: {@link dev.kudu4j.spark.table.KuduSparkTable}. */
package dev.kudu4j.spark.table;
