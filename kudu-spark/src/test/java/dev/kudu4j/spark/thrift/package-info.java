/** Spark's Thrift server, of a distribution of Spark that is given, with a JDBC client. */
package dev.kudu4j.spark.thrift;
