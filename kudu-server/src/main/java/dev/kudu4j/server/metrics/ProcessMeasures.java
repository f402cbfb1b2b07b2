package dev.kudu4j.server.metrics;

import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.server.fs.ServerFiles;
import dev.kudu4j.server.memory.ServerMemory;
import dev.kudu4j.server.metrics.model.LatencyHistogram;
import dev.kudu4j.server.metrics.model.MetricCatalog;
import dev.kudu4j.server.metrics.model.MetricEntity.Readings;
import dev.kudu4j.tablet.cache.PageCache;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.lang.management.ThreadMXBean;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Metrics of the server process: time, memory, threads, disks, the page cache, and the application
 * of log entries.
 *
 * @param startedMicros time of the start, in microseconds since the epoch
 * @param applying durations of the application of log entries, over all replicas
 */
public record ProcessMeasures(
    long startedMicros,
    HybridClock clock,
    ServerFiles files,
    ServerMemory memory,
    LatencyHistogram applying) {

  /** Reports all metrics. */
  public void measure(Readings readings) {
    measureTime(readings);
    measureThreads(readings);
    measureMemory(readings);
    readings.add(
        MetricCatalog.WAL_DIR_SPACE_AVAILABLE_BYTES, freeBytes(List.of(files.walDirectory())));
    readings.add(MetricCatalog.DATA_DIRS_SPACE_AVAILABLE_BYTES, freeBytes(files.dataDirectories()));
    measure(memory.pages().statistics(), readings);
    readings.add(MetricCatalog.OP_APPLY_RUN_TIME, applying.snapshot());
  }

  private void measureTime(Readings readings) {
    readings.add(MetricCatalog.UPTIME, clock.source().nowMicros() - startedMicros);
    readings.add(MetricCatalog.HYBRID_CLOCK_ERROR, clock.source().maxErrorMicros());
  }

  private void measureMemory(Readings readings) {
    long used = memory.trackers().get(0).usedBytes();
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    readings.add(MetricCatalog.MEMORY_USAGE, used);
    readings.add(MetricCatalog.GENERIC_CURRENT_ALLOCATED_BYTES, used);
    readings.add(
        MetricCatalog.GENERIC_HEAP_SIZE, used + Math.max(0, heap.getCommitted() - heap.getUsed()));
  }

  private static void measureThreads(Readings readings) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    readings.add(MetricCatalog.THREADS_RUNNING, threads.getThreadCount());
    readings.add(MetricCatalog.THREADS_STARTED, threads.getTotalStartedThreadCount());
    ProcessHandle.current()
        .info()
        .totalCpuDuration()
        .ifPresent(all -> measureCpu(all.toMillis(), readings));
  }

  /**
   * Reports CPU time in kernel mode and user mode. The JVM reports the sum of both, and Linux the
   * time in kernel mode.
   */
  private static void measureCpu(long allMillis, Readings readings) {
    long kernelMillis = KernelTime.ofThisProcess().orElse(0);
    readings.add(MetricCatalog.CPU_STIME, Math.min(kernelMillis, allMillis));
    readings.add(MetricCatalog.CPU_UTIME, Math.max(0, allMillis - kernelMillis));
  }

  private static void measure(PageCache.Statistics pages, Readings readings) {
    readings.add(MetricCatalog.BLOCK_CACHE_LOOKUPS, pages.hits() + pages.misses());
    readings.add(MetricCatalog.BLOCK_CACHE_HITS, pages.hits());
    readings.add(MetricCatalog.BLOCK_CACHE_HITS_CACHING, pages.hits());
    readings.add(MetricCatalog.BLOCK_CACHE_MISSES, pages.misses());
    readings.add(MetricCatalog.BLOCK_CACHE_MISSES_CACHING, pages.misses());
    readings.add(MetricCatalog.BLOCK_CACHE_EVICTIONS, pages.evictions());
    readings.add(MetricCatalog.BLOCK_CACHE_USAGE, pages.bytes());
  }

  /** Sum over all disks of the directories; each disk counts once. */
  private static long freeBytes(Collection<Path> directories) {
    Set<FileStore> disks = new HashSet<>();
    long free = 0;
    try {
      for (Path directory : directories) {
        FileStore disk = Files.getFileStore(directory);
        if (disks.add(disk)) {
          free += disk.getUsableSpace();
        }
      }
      return free;
    } catch (IOException e) {
      return -1;
    }
  }
}
