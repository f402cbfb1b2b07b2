package dev.kudu4j.server.memory;

/**
 * The usage of one memory pool at one moment.
 *
 * @param name the name within its parent
 * @param parent the name of the parent; empty for the root
 * @param limitBytes the limit of the pool; -1 if it has no limit
 * @param usedBytes the current usage
 * @param peakBytes the highest observed usage
 */
public record MemoryTracker(
    String name, String parent, long limitBytes, long usedBytes, long peakBytes) {}
