package dev.kudu4j.server.memory;

import dev.kudu4j.common.rpc.frame.InboundMemory;
import dev.kudu4j.server.replica.write.ApplyGate;
import dev.kudu4j.server.replica.write.WriteAdmission;
import dev.kudu4j.tablet.cache.PageCache;
import dev.kudu4j.tablet.memory.Allocators;
import dev.kudu4j.tablet.requestcache.RequestCacheMemory;
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
 * cache, the admission of writes, and a tree of what uses how much. Closing closes the root, which
 * fails if some of its memory is still held. Thread-safe.
 *
 * <pre>
 *   data  |  rows, changes, scans, what flushes and compactions work on  |  page cache  |
 *   0 ---------------------------- soft ---------- hard ------------------------- data limit
 *                                  some writes     no writes
 * </pre>
 *
 * <p>The page cache uses what is left: it shrinks when the others grow, before a write is rejected,
 * and an allocation that hits the limit empties it and tries again.
 *
 * <p>A log entry that runs out of memory half-way is applied anyway: the data limit rises by what
 * the entry needs, and falls back once flushes have freed memory. The share that the limit reserves
 * for flushes stays reserved meanwhile.
 */
public final class ServerMemory implements AutoCloseable {
  /** The name of the tracker above all others. */
  public static final String ROOT = "root";

  private record Source(String parent, long limitBytes, LongSupplier used) {}

  /** Part of the rows' memory from which on flushing hurries, so that writes need not stop. */
  private static final int FLUSH_PERCENT = 70;

  /** How long a partly received request may make no progress while others wait for memory. */
  private static final long INBOUND_PATIENCE_MILLIS = 5_000;

  /** Part of the data's memory that the page cache leaves free at all times. */
  private static final int FREE_PERCENT = 5;

  /** An overdraft is taken in steps of at least it. */
  private static final long OVERDRAFT_STEP_BYTES = 1 << 20;

  private final MemoryBudget budget;
  private final boolean alone;
  private final BufferAllocator data;
  private volatile boolean overdrawn;
  private final BufferAllocator scans;
  private final ScanMemoryGate scanRoom;
  private final PageCache pages;
  private final WriteAdmission writes;
  private final InboundMemory inbound;
  private final ApplyGate applying;
  private final RequestCacheMemory answers;
  private final Map<String, Source> sources = new ConcurrentSkipListMap<>();
  private final Map<String, Long> peaks = new ConcurrentHashMap<>();

  /** The memory of a server that has its process to itself. */
  public ServerMemory(MemoryBudget budget) {
    this(budget, true);
  }

  /**
   * @param alone whether no other server lives in the process, whose heap and direct memory are
   *     then this server's
   */
  public ServerMemory(MemoryBudget budget, boolean alone) {
    this.budget = budget;
    this.alone = alone;
    this.data = Allocators.root(budget.dataBytes(), this::makeRoom);
    this.scans = data.newChildAllocator("scans", 0, budget.scansBytes());
    this.scanRoom = new ScanMemoryGate(scans::getAllocatedMemory, budget.scansBytes());
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
    this.answers = new RequestCacheMemory(budget.answersBytes());
    track("heap", ROOT, Runtime.getRuntime().maxMemory(), ServerMemory::heapUsed);
    track("writes", "heap", budget.writesBytes(), writes::usedBytes);
    track("request_cache", "heap", budget.answersBytes(), answers::usedBytes);
    track("inbound", "heap", budget.inboundBytes(), inbound::usedBytes);
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

  /** Netty's arenas are memory that it has taken from the JVM, in use or kept for the next call. */
  private static long networkUsed() {
    return PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
  }

  public MemoryBudget budget() {
    return budget;
  }

  /** Bytes in use outside the page cache, which shrinks in favor of them. */
  private long usedBesidePages() {
    return data.getAllocatedMemory() - pages.allocatedBytes();
  }

  /** Asked for each write, and so the moment at which the page cache makes room for rows. */
  private long rowsUsed() {
    long used = usedBesidePages();
    pages.limitTo(roomForPages(used));
    return used;
  }

  /** Asked for each entry, and so the moment at which an overdraft ends. */
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

  /** The last resort of an allocation that would break the limit. */
  private boolean makeRoom(long bytes) {
    PageCache cache = pages;
    if (cache == null) {
      return false; // the cache itself is being made
    }
    long before = cache.allocatedBytes();
    cache.limitTo(cache.statistics().bytes() - Math.max(bytes, budget.dataBytes() / 32));
    return cache.allocatedBytes() < before || (applying.mayOverdraw() && overdraw(bytes));
  }

  /** Raises the limit. The part that is not for rows stays free for flushes. */
  private synchronized boolean overdraw(long bytes) {
    long beside = budget.dataBytes() - budget.rowsBytes();
    long limit = data.getAllocatedMemory() + Math.max(bytes, OVERDRAFT_STEP_BYTES) + beside;
    overdrawn = true;
    data.setLimit(Math.max(limit, data.getLimit()));
    return true;
  }

  private synchronized void endOverdraft() {
    overdrawn = false;
    data.setLimit(budget.dataBytes());
  }

  /** Whether rows have so little room left that writes will soon be refused. */
  public boolean isDataShort() {
    return usedBesidePages() > budget.rowsBytes() / 100 * FLUSH_PERCENT || applying.waiting() > 0;
  }

  /** The root of all off-heap data; take named children of it. */
  public BufferAllocator data() {
    return data;
  }

  /** What scans work in, bounded for all of them together; take named children of it. */
  public BufferAllocator scans() {
    return scans;
  }

  /** Asked by each call of a scan before it works. */
  public ScanMemoryGate scanRoom() {
    return scanRoom;
  }

  /** The pages of all tablets' files. */
  public PageCache pages() {
    return pages;
  }

  /** What requests occupy, of all ports, from their arrival to their answer. */
  public InboundMemory inbound() {
    return inbound;
  }

  /** Lets entries of the log be applied. */
  public ApplyGate applying() {
    return applying;
  }

  /** Bounds what is remembered of requests. */
  public RequestCacheMemory answers() {
    return answers;
  }

  /** Bounds the writes on their way. */
  public WriteAdmission writes() {
    return writes;
  }

  /**
   * Adds a pool to the tree.
   *
   * @param limitBytes -1 for none
   * @param used cheap, any thread
   */
  public void track(String name, String parent, long limitBytes, LongSupplier used) {
    sources.put(name, new Source(parent, limitBytes, used));
  }

  /** Takes a pool off the tree. */
  public void untrack(String name) {
    sources.remove(name);
  }

  /**
   * What the server uses of its limit. If several servers share a process, the heap cannot be
   * attributed to one of them: then this is the memory of data, which each server has for itself.
   */
  public MemoryTracker total() {
    return alone
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
    return tracker(ROOT, "", alone ? budget.limitBytes() : -1, used);
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
