/**
 * One tablet: the storage engine of section 4 of the Kudu paper. Start with {@link
 * dev.kudu4j.tablet.Tablet}: it applies log entries in order, scans at a snapshot, and writes
 * checkpoints.
 *
 * <pre>
 *   log entry --> apply --> MemRowSet (new rows)        --checkpoint--> DiskRowSets (columns)
 *                     \---> DeltaMemStores (changes)     --checkpoint--> delta files
 *   scan  &lt;-- merge of all of them at one snapshot
 * </pre>
 *
 * <p>This module depends on neither the network, Raft nor the catalog.
 */
@NullMarked
package dev.kudu4j.tablet;

import org.jspecify.annotations.NullMarked;
