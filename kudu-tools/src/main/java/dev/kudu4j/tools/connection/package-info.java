/**
 * The connection of a verb to a cluster: the masters ({@link dev.kudu4j.tools.connection.Masters}),
 * the options of all verbs ({@link dev.kudu4j.tools.connection.ConnectionOptions}), and calls that
 * the client for tables does not offer ({@link dev.kudu4j.tools.connection.ClusterCalls}).
 */
package dev.kudu4j.tools.connection;
