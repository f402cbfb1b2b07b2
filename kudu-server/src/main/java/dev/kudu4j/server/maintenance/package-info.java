/**
 * Maintenance of all tablets of one server: which work is done next, and doing it.
 *
 * <p>Each tablet says what could be done and what that is worth ({@link
 * dev.kudu4j.tablet.maintenance.TabletMaintenance}). {@link
 * dev.kudu4j.server.maintenance.MaintenancePolicy} is a pure function that puts the candidates of
 * all tablets in order; {@link dev.kudu4j.server.maintenance.MaintenanceScheduler} runs the first
 * of them, one at a time for each tablet. The page {@code /maintenance-manager} shows what it sees.
 * Why it is so: docs/design/maintenance.md.
 *
 * <p>This package knows tablets by {@link dev.kudu4j.server.maintenance.MaintainedTablet} only; a
 * tablet server has many, a master has the catalog's.
 */
package dev.kudu4j.server.maintenance;
