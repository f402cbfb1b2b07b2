/** A table as Spark plans with it: {@link dev.kudu4j.spark.table.KuduSparkTable}. */
package dev.kudu4j.spark.table;
