/**
 * How a tablet becomes durable and comes back: "a flush is a checkpoint".
 *
 * <pre>
 *   freeze (writer lock)  |  write files, sync, superblock  |  carry over, swap (writer lock)
 *   ----------------------+---------------------------------+---------------------------------> time
 *        boundary N              apply and scans go on              version N+1 of the tree
 * </pre>
 *
 * <p>{@link dev.kudu4j.tablet.checkpoint.StoreUpdater} runs the steps, also those of compactions;
 * {@link dev.kudu4j.tablet.checkpoint.TabletOpener} makes and opens tablets, {@link
 * dev.kudu4j.tablet.checkpoint.CheckpointCrashPoints} names the places where a crash may fall. What
 * each such crash leaves, and why it opens correctly: docs/design/checkpoint.md.
 */
package dev.kudu4j.tablet.checkpoint;
