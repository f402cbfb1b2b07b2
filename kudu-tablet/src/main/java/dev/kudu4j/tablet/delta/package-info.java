/**
 * Changes of rows after their base data (REDO) or before it (UNDO).
 *
 * <p>{@link dev.kudu4j.tablet.delta.RowChange} is one encoded change; {@link
 * dev.kudu4j.tablet.delta.RowChangeBuilder} and {@link dev.kudu4j.tablet.delta.RowChangeReader}
 * write and read it. {@link dev.kudu4j.tablet.delta.Mutation} is a change in an in-memory chain,
 * newest first. {@link dev.kudu4j.tablet.delta.DeltaMemStore} holds chains by ordinal, {@link
 * dev.kudu4j.tablet.delta.DeltaFile} holds changes by ordinal on disk.
 *
 * <p>A reader at snapshot T walks the changes of a row from T towards the base data and stops when
 * it has found all cells it needs: in REDO from the newest change below T to older ones, in UNDO
 * from the oldest change at or above T to newer ones. Changes are stored in this order: newest
 * first in chains and REDO files, oldest first in UNDO files. The changes of one row are ordered by
 * (timestamp, sequence), because one request may change a row twice.
 */
@NullMarked
package dev.kudu4j.tablet.delta;

import org.jspecify.annotations.NullMarked;
