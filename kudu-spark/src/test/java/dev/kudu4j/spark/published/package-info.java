/** Tests that the Spark connector published by Apache Kudu works with a Kudu4j cluster. */
package dev.kudu4j.spark.published;
