/**
 * Clients of clusters: {@link dev.kudu4j.spark.client.Connection} says which cluster and how, and
 * travels with tasks; {@link dev.kudu4j.spark.client.SharedClients} holds one client per JVM and
 * connection, since clients are made to be shared by all threads.
 */
package dev.kudu4j.spark.client;
