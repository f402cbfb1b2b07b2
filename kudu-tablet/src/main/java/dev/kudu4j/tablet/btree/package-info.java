/**
 * The ordered in-memory structure under MemRowSet and DeltaMemStore: an off-heap B+tree with
 * optimistic readers.
 */
package dev.kudu4j.tablet.btree;
