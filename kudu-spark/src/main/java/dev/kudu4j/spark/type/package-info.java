/** Kudu's types and schemas as Spark's, and back: {@link dev.kudu4j.spark.type.SparkTypes}. */
package dev.kudu4j.spark.type;
