/**
 * Changes of rows after, or before, their base data: {@link dev.kudu4j.tablet.delta.RowChange} (one
 * change, encoded; {@link dev.kudu4j.tablet.delta.RowChangeBuilder} and {@link
 * dev.kudu4j.tablet.delta.RowChangeReader} write and read it), {@link
 * dev.kudu4j.tablet.delta.Mutation} (a change in a newest-first chain in memory), {@link
 * dev.kudu4j.tablet.delta.DeltaMemStore} (chains by ordinal), {@link
 * dev.kudu4j.tablet.delta.DeltaFile} (changes by ordinal, on disk).
 *
 * <p>Who reads at a snapshot T walks the changes of a row from T towards the base data, and stops
 * when nothing is left to be found: REDO from the newest change below T to older ones, UNDO from
 * the oldest change at or above T to newer ones. That is the order in which they stand: a chain and
 * a REDO file have a row's newest change first, an UNDO file its oldest. Changes of one row are
 * ordered by (timestamp, sequence), since one request may touch a row twice.
 */
package dev.kudu4j.tablet.delta;
