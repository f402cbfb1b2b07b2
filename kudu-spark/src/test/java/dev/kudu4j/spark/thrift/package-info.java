/** Tests of Spark's Thrift server, from a given distribution of Spark, with a JDBC client. */
package dev.kudu4j.spark.thrift;
