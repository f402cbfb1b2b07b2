/**
 * Indexes under faults: servers are killed while rows change and indexes are created, built and
 * dropped. Scans with indexes have the rows of scans without.
 *
 * <p>Start with {@link dev.kudu4j.itest.index.IndexFaultsIT}. {@link
 * dev.kudu4j.itest.index.OrderWriters} change rows and know which ones there should be, {@link
 * dev.kudu4j.itest.index.IndexChanges} create and drop indexes, {@link
 * dev.kudu4j.itest.index.Comparisons} read with and without indexes. The invariant: {@code
 * docs/design/local-index.md}.
 */
package dev.kudu4j.itest.index;
