/**
 * {@code kudu table}: the verbs for tables and their rows, one class per verb; {@link
 * dev.kudu4j.tools.table.TableVerbs} lists them. {@link dev.kudu4j.tools.connection.ClusterCalls}
 * gets information about tables from the master; the client reads and writes rows and alters
 * tables.
 */
package dev.kudu4j.tools.table;
