/**
 * One tablet: the storage engine of section 4 of the Kudu paper. {@link dev.kudu4j.tablet.Tablet}
 * is the door: apply log entries in order, scan at a snapshot, checkpoint.
 *
 * <pre>
 *   log entry --> apply --> MemRowSet (new rows)        --checkpoint--> DiskRowSets (columns)
 *                     \---> DeltaMemStores (changes)     --checkpoint--> delta files
 *   scan  &lt;-- merge of all of them at one snapshot
 * </pre>
 *
 * <p>This module knows files, memory and rows. It does not know the network, Raft or the catalog.
 */
package dev.kudu4j.tablet;
