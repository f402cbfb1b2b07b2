/** The verbs {@code kudu index}: create, list and drop the secondary indexes of tables. */
package dev.kudu4j.tools.index;
