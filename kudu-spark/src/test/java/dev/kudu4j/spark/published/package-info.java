/** The connector that Apache Kudu publishes, on our cluster. */
package dev.kudu4j.spark.published;
