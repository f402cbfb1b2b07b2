/**
 * Conversion of Kudu's types and schemas to Spark's and back: {@link
 * dev.kudu4j.spark.type.SparkTypes}.
 */
package dev.kudu4j.spark.type;
