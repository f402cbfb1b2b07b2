/**
 * What keeps a tablet fast and small: flushes, delta compactions, rowset compactions, the
 * collection of ancient history.
 *
 * <p>A tablet offers {@link dev.kudu4j.tablet.maintenance.MaintenanceTask}s; whoever schedules for
 * a whole server compares them over all tablets and runs the best. What to merge is decided by pure
 * functions of the layout; how it is written and swapped in is in {@link
 * dev.kudu4j.tablet.checkpoint}.
 */
package dev.kudu4j.tablet.maintenance;
