/**
 * Clients of clusters. {@link dev.kudu4j.spark.client.Connection} identifies a cluster and its
 * settings, and is serialized to tasks. {@link dev.kudu4j.spark.client.SharedClients} has one
 * client per JVM and connection, since a client serves all threads.
 */
package dev.kudu4j.spark.client;
