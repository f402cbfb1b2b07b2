package dev.kudu4j.tablet.env;

import dev.kudu4j.tablet.cache.PageCache;
import dev.kudu4j.tablet.requestcache.RequestCacheMemory;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The environment of a tablet.
 *
 * @param files the file store
 * @param directory the tablet's own directory, which contains its superblock and data files
 * @param allocator parent of all off-heap memory of the tablet
 * @param scans parent of the scans' working memory; may have a lower limit, which reserves memory
 *     for applying writes
 * @param pages cache of the pages of all files, shared with other tablets
 * @param crashPoints named points immediately before durable steps, where a test can simulate a
 *     crash
 * @param random generator of random numbers for names and sampling; the result of a write never
 *     depends on it
 * @param nanoTime monotonic time for durations
 * @param options sizes and thresholds
 * @param requestCacheMemory limits the cached request results of all tablets
 */
public record TabletEnvironment(
    FileStore files,
    Path directory,
    BufferAllocator allocator,
    BufferAllocator scans,
    PageCache pages,
    CrashPoints crashPoints,
    RandomGenerator random,
    LongSupplier nanoTime,
    TabletOptions options,
    RequestCacheMemory requestCacheMemory) {
  /** An environment with an unlimited request cache. */
  public TabletEnvironment(
      FileStore files,
      Path directory,
      BufferAllocator allocator,
      BufferAllocator scans,
      PageCache pages,
      CrashPoints crashPoints,
      RandomGenerator random,
      LongSupplier nanoTime,
      TabletOptions options) {
    this(
        files,
        directory,
        allocator,
        scans,
        pages,
        crashPoints,
        random,
        nanoTime,
        options,
        RequestCacheMemory.unlimited());
  }

  /** An environment in which scans use {@code allocator}, with an unlimited request cache. */
  public TabletEnvironment(
      FileStore files,
      Path directory,
      BufferAllocator allocator,
      PageCache pages,
      CrashPoints crashPoints,
      RandomGenerator random,
      LongSupplier nanoTime,
      TabletOptions options) {
    this(files, directory, allocator, allocator, pages, crashPoints, random, nanoTime, options);
  }

  /** An environment without a page cache: each page is read from its file. */
  public TabletEnvironment(
      FileStore files,
      Path directory,
      BufferAllocator allocator,
      CrashPoints crashPoints,
      RandomGenerator random,
      LongSupplier nanoTime,
      TabletOptions options) {
    this(
        files,
        directory,
        allocator,
        PageCache.none(allocator),
        crashPoints,
        random,
        nanoTime,
        options);
  }

  /** A copy without a page cache, for callers that must read from disk. */
  public TabletEnvironment uncached() {
    return new TabletEnvironment(
        files, directory, allocator, crashPoints, random, nanoTime, options);
  }
}
