package dev.kudu4j.master.reconcile;

/**
 * @param creationPatienceMicros how long a member may be silent before a tablet that never ran is
 *     placed elsewhere
 * @param lingerNanos how long the record of a dropped tablet is kept after its last replica is gone
 */
public record ReconcilerOptions(long creationPatienceMicros, long lingerNanos) {}
