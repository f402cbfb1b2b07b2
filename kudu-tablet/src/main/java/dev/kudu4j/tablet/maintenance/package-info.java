/**
 * Maintenance of a tablet: flushes, delta compactions, rowset compactions, collection of ancient
 * history.
 *
 * <p>A tablet returns {@link dev.kudu4j.tablet.maintenance.MaintenanceTask}s as candidates. The
 * server's scheduler compares the candidates of all tablets and runs the best. Pure functions of
 * the layout decide what to merge; {@link dev.kudu4j.tablet.checkpoint} makes the result durable
 * and swaps it in.
 */
@NullMarked
package dev.kudu4j.tablet.maintenance;

import org.jspecify.annotations.NullMarked;
