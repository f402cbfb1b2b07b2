/**
 * Decides which rowsets to merge: pure functions of the rowsets' keys and sizes.
 *
 * <p>{@link dev.kudu4j.tablet.maintenance.policy.KeySpace} measures how many rowsets a look-up
 * visits, {@link dev.kudu4j.tablet.maintenance.policy.CompactionPolicy} chooses. This package knows
 * keys and sizes. It knows neither files nor tablets.
 */
package dev.kudu4j.tablet.maintenance.policy;
