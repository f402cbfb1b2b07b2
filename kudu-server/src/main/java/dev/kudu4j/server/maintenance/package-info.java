/**
 * Maintenance of all tablets of one server: chooses the next op and performs it.
 *
 * <p>Each tablet provides candidate tasks with their gain and cost ({@link
 * dev.kudu4j.tablet.maintenance.TabletMaintenance}). {@link
 * dev.kudu4j.server.maintenance.MaintenancePolicy} is a pure function that orders the candidates of
 * all tablets; {@link dev.kudu4j.server.maintenance.MaintenanceScheduler} runs the first candidate,
 * and at most one op per tablet at a time. The page {@code /maintenance-manager} shows the state of
 * the scheduler. docs/design/maintenance.md explains the design.
 *
 * <p>This package accesses tablets only through {@link
 * dev.kudu4j.server.maintenance.MaintainedTablet}. A tablet server has many tablets; a master has
 * one, the tablet of the catalog.
 */
@NullMarked
package dev.kudu4j.server.maintenance;

import org.jspecify.annotations.NullMarked;
