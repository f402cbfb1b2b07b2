/**
 * Indexes of real servers: with programs that were made for Apache Kudu, and under faults.
 *
 * <p>{@link dev.kudu4j.itest.index.IndexIT} uses the published client and tool. In {@link
 * dev.kudu4j.itest.index.IndexFaultsIT} servers are killed while {@link
 * dev.kudu4j.itest.index.OrderWriters} change rows and {@link dev.kudu4j.itest.index.IndexChanges}
 * create and drop indexes; {@link dev.kudu4j.itest.index.Comparisons} read with and without
 * indexes. The invariant: {@code docs/design/local-index.md}.
 */
package dev.kudu4j.itest.index;
