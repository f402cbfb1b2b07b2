/**
 * Maintenance of all tablets of one server: chooses the next op and performs it.
 *
 * <p>Each tablet provides candidate tasks with their gain and cost ({@link
 * dev.kudu4j.tablet.maintenance.TabletMaintenance}). {@link
 * dev.kudu4j.server.maintenance.MaintenancePolicy} is a pure function that orders the candidates of
 * all tablets; {@link dev.kudu4j.server.maintenance.MaintenanceScheduler} runs the first of them,
 * at most one per tablet at a time. The page {@code /maintenance-manager} shows its state. The
 * reasons are in docs/design/maintenance.md.
 *
 * <p>This package knows tablets by {@link dev.kudu4j.server.maintenance.MaintainedTablet} only; a
 * tablet server has many, a master has the catalog's.
 */
package dev.kudu4j.server.maintenance;
