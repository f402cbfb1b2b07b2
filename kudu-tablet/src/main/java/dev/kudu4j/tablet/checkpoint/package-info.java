/**
 * Checkpoint and recovery: makes a tablet's state durable and opens it again. A flush is a
 * checkpoint.
 *
 * <pre>
 *   freeze (writer lock)  |  write files, sync, superblock  |  carry over, swap (writer lock)
 *   ----------------------+---------------------------------+------------------------------> time
 *        boundary                apply and scans continue           new rowsets are visible
 * </pre>
 *
 * <p>{@link dev.kudu4j.tablet.checkpoint.StoreUpdater} runs the steps, for compactions as well;
 * {@link dev.kudu4j.tablet.checkpoint.TabletOpener} creates and opens tablets; {@link
 * dev.kudu4j.tablet.checkpoint.CheckpointCrashPoints} names the points of possible crashes.
 * docs/design/checkpoint.md explains what each crash leaves on disk and why it opens correctly.
 */
@NullMarked
package dev.kudu4j.tablet.checkpoint;

import org.jspecify.annotations.NullMarked;
