/**
 * Which rowsets are worth merging: pure functions of what the rowsets look like.
 *
 * <p>{@link dev.kudu4j.tablet.maintenance.policy.KeySpace} measures how many rowsets a look-up has
 * to visit, {@link dev.kudu4j.tablet.maintenance.policy.CompactionPolicy} chooses. This package
 * knows keys and sizes. It knows neither files nor tablets.
 */
package dev.kudu4j.tablet.maintenance.policy;
