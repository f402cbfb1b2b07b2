/**
 * Changes of rows after they were written: {@link dev.kudu4j.tablet.delta.RowChange} (one change,
 * encoded; {@link dev.kudu4j.tablet.delta.RowChangeBuilder} and {@link
 * dev.kudu4j.tablet.delta.RowChangeReader} write and read it), {@link
 * dev.kudu4j.tablet.delta.Mutation} (a change in a newest-first chain in memory), {@link
 * dev.kudu4j.tablet.delta.DeltaMemStore} (chains by ordinal), and delta files, sorted by (ordinal,
 * timestamp, sequence), since one request may touch a row twice.
 */
package dev.kudu4j.tablet.delta;
