/**
 * Decides which rowsets to merge: pure functions of the rowsets' keys and sizes.
 *
 * <p>{@link dev.kudu4j.tablet.maintenance.policy.KeySpace} computes how many rowsets a lookup
 * visits, {@link dev.kudu4j.tablet.maintenance.policy.CompactionPolicy} chooses the rowsets. This
 * package uses only keys and sizes. It depends neither on files nor on tablets.
 */
@NullMarked
package dev.kudu4j.tablet.maintenance.policy;

import org.jspecify.annotations.NullMarked;
