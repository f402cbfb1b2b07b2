package dev.kudu4j.server.memory;

import dev.kudu4j.server.replica.WriteAdmission;
import dev.kudu4j.tablet.memory.Allocators;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The pools of one server: the root of all off-heap data with its named children, the admission of
 * writes, and a list of who uses how much. Closing closes the root, which fails when something
 * still holds memory of it. Thread-safe.
 */
public final class ServerMemory implements AutoCloseable {
  /** The name of the tracker above all others. */
  public static final String ROOT = "root";

  private record Source(String parent, long limitBytes, LongSupplier used) {}

  /** Data memory in use from which on writes wait for a flush; the rest is for apply and scans. */
  private static final int WRITES_STOP_PERCENT = 85;

  /** Data memory in use from which on flushing hurries, so that writes need not stop. */
  private static final int FLUSH_PERCENT = 65;

  private final MemoryBudget budget;
  private final BufferAllocator data;
  private final WriteAdmission writes;
  private final Map<String, Source> sources = new ConcurrentSkipListMap<>();
  private final Map<String, Long> peaks = new ConcurrentHashMap<>();

  public ServerMemory(MemoryBudget budget) {
    this.budget = budget;
    this.data = Allocators.root("data", budget.dataBytes());
    this.writes =
        new WriteAdmission(
            budget.writesBytes(),
            data::getAllocatedMemory,
            budget.dataBytes() / 100 * WRITES_STOP_PERCENT);
    track("heap", ROOT, Runtime.getRuntime().maxMemory(), ServerMemory::heapUsed);
    track("writes", "heap", budget.writesBytes(), writes::usedBytes);
    track("data", ROOT, budget.dataBytes(), data::getAllocatedMemory);
    track("direct", ROOT, -1, ServerMemory::directUsed);
  }

  private static long heapUsed() {
    MemoryUsage usage = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    return usage.getUsed();
  }

  private static long directUsed() {
    long used = 0;
    for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
      if (pool.getName().equals("direct")) {
        used += pool.getMemoryUsed();
      }
    }
    return used;
  }

  public MemoryBudget budget() {
    return budget;
  }

  /** Whether the off-heap data has so little room left that writes will soon be refused. */
  public boolean isDataShort() {
    return data.getAllocatedMemory() > budget.dataBytes() / 100 * FLUSH_PERCENT;
  }

  /** The root of all off-heap data; take named children of it. */
  public BufferAllocator data() {
    return data;
  }

  /** Bounds the writes on their way. */
  public WriteAdmission writes() {
    return writes;
  }

  /**
   * Adds a pool to the list.
   *
   * @param limitBytes -1 for none
   * @param used cheap, any thread
   */
  public void track(String name, String parent, long limitBytes, LongSupplier used) {
    sources.put(name, new Source(parent, limitBytes, used));
  }

  /** Takes a pool off the list. */
  public void untrack(String name) {
    sources.remove(name);
  }

  /** All pools: the root first, children of the data's allocator last. */
  public List<MemoryTracker> trackers() {
    List<MemoryTracker> all = new ArrayList<>();
    long heap = heapUsed();
    all.add(
        tracker(ROOT, "", budget.limitBytes(), heap + data.getAllocatedMemory() + directUsed()));
    sources.forEach(
        (name, source) ->
            all.add(tracker(name, source.parent, source.limitBytes, source.used.getAsLong())));
    data.getChildAllocators().stream()
        .sorted(Comparator.comparing(BufferAllocator::getName))
        .forEach(
            child ->
                all.add(
                    new MemoryTracker(
                        child.getName(),
                        "data",
                        limit(child.getLimit()),
                        child.getAllocatedMemory(),
                        child.getPeakMemoryAllocation())));
    return all;
  }

  private static long limit(long bytes) {
    return bytes == Long.MAX_VALUE ? -1 : bytes;
  }

  private MemoryTracker tracker(String name, String parent, long limitBytes, long used) {
    return new MemoryTracker(name, parent, limitBytes, used, peaks.merge(name, used, Math::max));
  }

  @Override
  public void close() {
    data.close();
  }
}
