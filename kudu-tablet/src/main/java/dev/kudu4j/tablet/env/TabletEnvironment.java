package dev.kudu4j.tablet.env;

import java.nio.file.Path;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.apache.arrow.memory.BufferAllocator;

/**
 * What a tablet needs from outside.
 *
 * @param files where its files are
 * @param directory the tablet's own directory: superblock and data files
 * @param allocator parent of all of the tablet's off-heap memory
 * @param crashPoints named points before durable steps
 * @param random for names and sampling, never for outcomes
 * @param nanoTime monotonic time for durations
 * @param options sizes and thresholds
 */
public record TabletEnvironment(
    FileStore files,
    Path directory,
    BufferAllocator allocator,
    CrashPoints crashPoints,
    RandomGenerator random,
    LongSupplier nanoTime,
    TabletOptions options) {}
