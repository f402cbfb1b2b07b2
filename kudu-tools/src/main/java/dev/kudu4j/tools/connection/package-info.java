/**
 * The way from a verb to a cluster: which masters it means ({@link
 * dev.kudu4j.tools.connection.Masters}), the options that every verb takes ({@link
 * dev.kudu4j.tools.connection.ClusterOptions}), and calls that no client of tables offers ({@link
 * dev.kudu4j.tools.connection.ClusterCalls}).
 */
package dev.kudu4j.tools.connection;
