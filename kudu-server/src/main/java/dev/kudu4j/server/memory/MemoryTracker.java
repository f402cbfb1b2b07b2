package dev.kudu4j.server.memory;

/**
 * The usage of one memory pool at one moment.
 *
 * @param name the name within its parent
 * @param parent empty for the root
 * @param limitBytes -1 for none
 * @param usedBytes the current usage
 * @param peakBytes the highest observed usage
 */
public record MemoryTracker(
    String name, String parent, long limitBytes, long usedBytes, long peakBytes) {}
