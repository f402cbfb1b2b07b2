package dev.kudu4j.server.memory;

import dev.kudu4j.common.rpc.frame.InboundMemory;
import dev.kudu4j.server.replica.write.ApplyGate;
import dev.kudu4j.server.replica.write.WriteAdmission;
import dev.kudu4j.tablet.cache.PageCache;
import dev.kudu4j.tablet.memory.Allocators;
import dev.kudu4j.tablet.requestcache.RequestCacheMemory;
import dev.kudu4j.tablet.scan.collect.CollectorMemory;
import io.netty.buffer.PooledByteBufAllocator;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The memory pools of one server: the root of all off-heap data with its named children, the page
 * cache, the admission of writes, and the tree of memory trackers. {@link #close} closes the root,
 * and fails if some of its memory is still held. Thread-safe.
 *
 * <pre>
 *   data  |  rows, deltas, scans, memory of flushes and compactions      |  page cache  |
 *   0 ---------------------------- soft ---------- hard ------------------------- data limit
 *                                  some writes     no writes
 * </pre>
 *
 * <p>The page cache uses the memory that is left. It shrinks when the other users of memory grow,
 * before a write is rejected. An allocation that hits the limit shrinks the page cache and is then
 * retried.
 *
 * <p>If memory runs out while a log entry is applied, the entry is applied anyway: the data limit
 * increases by the memory that the entry needs, and returns to the configured value once flushes
 * have freed memory. The part of the limit that is reserved for flushes remains reserved.
 */
public final class ServerMemory implements AutoCloseable {
  /** The name of the root tracker. */
  public static final String ROOT = "root";

  private record Source(String parent, long limitBytes, LongSupplier used) {}

  /**
   * The percentage of the rows' memory above which flushes have priority, so that writes need not
   * stop.
   */
  private static final int FLUSH_PERCENT = 70;

  /**
   * The longest time for which a partly received request may make no progress while other requests
   * wait for memory.
   */
  private static final long INBOUND_PATIENCE_MILLIS = 5_000;

  /** The percentage of the data's memory that the page cache always leaves free. */
  private static final int FREE_PERCENT = 5;

  /** The minimum by which an overdraft increases the limit. */
  private static final long OVERDRAFT_STEP_BYTES = 1 << 20;

  private final MemoryBudget budget;
  private final boolean onlyServerOfProcess;
  private final BufferAllocator data;
  private volatile boolean overdrawn;
  private final BufferAllocator scans;
  private final ScanMemoryGate scanGate;
  private final PageCache pages;
  private final WriteAdmission writes;
  private final InboundMemory inbound;
  private final ApplyGate applying;
  private final RequestCacheMemory requestCache;
  private final Map<String, Source> sources = new ConcurrentSkipListMap<>();
  private final Map<String, Long> peaks = new ConcurrentHashMap<>();

  /** The memory of the only server of a process. */
  public ServerMemory(MemoryBudget budget) {
    this(budget, true);
  }

  /**
   * @param onlyServerOfProcess whether the process runs no other server, so that its heap and
   *     direct memory belong to this server
   */
  public ServerMemory(MemoryBudget budget, boolean onlyServerOfProcess) {
    this.budget = budget;
    this.onlyServerOfProcess = onlyServerOfProcess;
    this.data = Allocators.root(budget.dataBytes(), this::makeRoom);
    this.scans = data.newChildAllocator("scans", 0, budget.scansBytes());
    this.scanGate = new ScanMemoryGate(scans::getAllocatedMemory, budget.scansBytes());
    this.pages = new PageCache(data, budget.pagesBytes(), this::roomForPages);
    this.writes =
        new WriteAdmission(
            budget.writesBytes(),
            this::rowsUsed,
            budget.rowsSoftBytes(),
            budget.rowsBytes(),
            () -> ThreadLocalRandom.current().nextDouble());
    this.inbound = new InboundMemory(budget.inboundBytes(), INBOUND_PATIENCE_MILLIS);
    this.applying = new ApplyGate(this::usedByApplying, budget.rowsBytes());
    this.requestCache = new RequestCacheMemory(budget.requestCacheBytes());
    track("heap", ROOT, Runtime.getRuntime().maxMemory(), ServerMemory::heapUsed);
    track("writes", "heap", budget.writesBytes(), writes::usedBytes);
    track("request_cache", "heap", budget.requestCacheBytes(), requestCache::usedBytes);
    track("inbound", "heap", budget.inboundBytes(), inbound::usedBytes);
    CollectorMemory groups = CollectorMemory.ofProcess();
    track("groups", "heap", groups.limitBytes(), groups::usedBytes);
    track("direct", ROOT, budget.networkBytes() + budget.raftBytes(), ServerMemory::directUsed);
    track("network", "direct", budget.networkBytes(), ServerMemory::networkUsed);
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

  /** The memory of Netty's arenas, in use or kept for later calls. */
  private static long networkUsed() {
    return PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
  }

  public MemoryBudget budget() {
    return budget;
  }

  /** Bytes of data in use outside the page cache. */
  private long usedBesidePages() {
    return data.getAllocatedMemory() - pages.allocatedBytes();
  }

  /**
   * Returns the bytes used outside the page cache, after the page cache has made room for rows.
   * Called for each write.
   */
  private long rowsUsed() {
    long used = usedBesidePages();
    pages.limitTo(roomForPages(used));
    return used;
  }

  /**
   * Returns the bytes used outside the page cache; also ends an overdraft if possible. Called for
   * each log entry that is applied.
   */
  private long usedByApplying() {
    long used = usedBesidePages();
    if (overdrawn && used <= budget.rowsBytes()) {
      endOverdraft();
    }
    return used;
  }

  private long roomForPages() {
    return roomForPages(usedBesidePages());
  }

  private long roomForPages(long used) {
    return budget.dataBytes() / 100 * (100 - FREE_PERCENT) - used;
  }

  /**
   * Tries to make room for an allocation that would otherwise fail, because it would exceed the
   * limit.
   */
  private boolean makeRoom(long bytes) {
    PageCache cache = pages;
    if (cache == null) {
      return false; // the page cache is being created
    }
    long before = cache.allocatedBytes();
    cache.limitTo(cache.statistics().bytes() - Math.max(bytes, budget.dataBytes() / 32));
    return cache.allocatedBytes() < before || (applying.mayOverdraw() && overdraw(bytes));
  }

  /**
   * Increases the limit of the data. The part of the limit that is not for rows remains free for
   * flushes.
   */
  private synchronized boolean overdraw(long bytes) {
    long reserved = budget.dataBytes() - budget.rowsBytes();
    long limit = data.getAllocatedMemory() + Math.max(bytes, OVERDRAFT_STEP_BYTES) + reserved;
    overdrawn = true;
    data.setLimit(Math.max(limit, data.getLimit()));
    return true;
  }

  private synchronized void endOverdraft() {
    overdrawn = false;
    data.setLimit(budget.dataBytes());
  }

  /** Whether rows have so little memory left that writes will soon be rejected. */
  public boolean isDataShort() {
    return usedBesidePages() > budget.rowsBytes() / 100 * FLUSH_PERCENT || applying.waiting() > 0;
  }

  /** The root of all off-heap data; users create named children of it. */
  public BufferAllocator data() {
    return data;
  }

  /** The working memory of all scans, with a common limit; users create named children of it. */
  public BufferAllocator scans() {
    return scans;
  }

  /** The gate that admits each call of a scan. */
  public ScanMemoryGate scanGate() {
    return scanGate;
  }

  /** The pages of all tablets' files. */
  public PageCache pages() {
    return pages;
  }

  /** The memory of the requests on all ports, from arrival to response. */
  public InboundMemory inbound() {
    return inbound;
  }

  /** The gate that admits log entries to be applied. */
  public ApplyGate applying() {
    return applying;
  }

  /** The bound of the request cache. */
  public RequestCacheMemory requestCache() {
    return requestCache;
  }

  /** The bound of the writes in flight. */
  public WriteAdmission writes() {
    return writes;
  }

  /**
   * Adds a pool to the tree.
   *
   * @param limitBytes the limit of the pool; -1 if it has no limit
   * @param used returns the used bytes; must be cheap and callable from any thread
   */
  public void track(String name, String parent, long limitBytes, LongSupplier used) {
    sources.put(name, new Source(parent, limitBytes, used));
  }

  /** Removes a pool from the tree. */
  public void untrack(String name) {
    sources.remove(name);
  }

  /**
   * The memory usage and the limit of the server. If several servers share a process, the heap
   * cannot be attributed to one of them. The result is then the usage of the data's memory, which
   * each server has separately.
   */
  public MemoryTracker total() {
    return onlyServerOfProcess
        ? rootTracker()
        : new MemoryTracker(
            "data",
            ROOT,
            budget.dataBytes(),
            data.getAllocatedMemory(),
            data.getPeakMemoryAllocation());
  }

  private MemoryTracker rootTracker() {
    long used = heapUsed() + data.getAllocatedMemory() + directUsed();
    return tracker(ROOT, "", onlyServerOfProcess ? budget.limitBytes() : -1, used);
  }

  /** All pools, a parent before its children: the root first, the data's allocators last. */
  public List<MemoryTracker> trackers() {
    List<MemoryTracker> all = new ArrayList<>();
    all.add(rootTracker());
    sources.forEach(
        (name, source) ->
            all.add(tracker(name, source.parent, source.limitBytes, source.used.getAsLong())));
    AllocatorTree.addTo(all, "data", data, ROOT);
    return all;
  }

  private MemoryTracker tracker(String name, String parent, long limitBytes, long used) {
    return new MemoryTracker(name, parent, limitBytes, used, peaks.merge(name, used, Math::max));
  }

  @Override
  public void close() {
    pages.close();
    scans.close();
    data.close();
  }
}
