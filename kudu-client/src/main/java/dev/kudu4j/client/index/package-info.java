/**
 * Global indexes. {@link dev.kudu4j.client.index.IndexChoice} decides whether a scan can and should
 * read the table of an index instead of the indexed table. {@link
 * dev.kudu4j.client.index.TableHashing} finds where the two differ.
 *
 * <p>This package does not depend on the public API.
 */
package dev.kudu4j.client.index;
