/**
 * {@code kudu table}: what can be done with tables and their rows. One class a verb; {@link
 * dev.kudu4j.tools.table.TableVerbs} lists them. What is known of a table is asked of the master by
 * {@link dev.kudu4j.tools.connection.ClusterCalls}; rows and changes go through the client.
 */
package dev.kudu4j.tools.table;
