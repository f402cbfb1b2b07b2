/**
 * Decides which rowsets to merge: pure functions of the rowsets' keys and sizes.
 *
 * <p>{@link dev.kudu4j.tablet.maintenance.policy.KeySpace} computes how many rowsets a lookup
 * visits, {@link dev.kudu4j.tablet.maintenance.policy.CompactionPolicy} chooses the rowsets. This
 * package knows keys and sizes. It knows neither files nor tablets.
 */
package dev.kudu4j.tablet.maintenance.policy;
