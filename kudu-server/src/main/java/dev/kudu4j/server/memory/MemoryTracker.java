package dev.kudu4j.server.memory;

/**
 * What one pool of memory uses at a moment.
 *
 * @param name within its parent
 * @param parent empty for the root
 * @param limitBytes -1 for none
 * @param usedBytes now
 * @param peakBytes highest so far, as far as it was noticed
 */
public record MemoryTracker(
    String name, String parent, long limitBytes, long usedBytes, long peakBytes) {}
