package dev.kudu4j.tserver.tablets;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The off-heap memory of the tablets, with one named allocator for each, which shows the tablet's
 * usage. The allocator of a deleted tablet is closed once scans have released its memory; this is
 * checked when any tablet is added or deleted. Thread-safe.
 */
public final class TabletMemory implements AutoCloseable {
  private final BufferAllocator all;

  @GuardedBy("this")
  private final Map<String, BufferAllocator> byTablet = new HashMap<>();

  @GuardedBy("this")
  private final Set<String> deleted = new HashSet<>();

  /**
   * @param parent shared
   */
  public TabletMemory(BufferAllocator parent) {
    this.all = parent.newChildAllocator("tablets", 0, Long.MAX_VALUE);
  }

  /** The parent of all allocators of the tablet; owned by this object. */
  public synchronized BufferAllocator of(String tabletId) {
    deleted.remove(tabletId);
    sweep();
    return byTablet.computeIfAbsent(
        tabletId, id -> all.newChildAllocator("tablet-" + id, 0, Long.MAX_VALUE));
  }

  /** Closes the allocator of a deleted tablet, now or when its memory is released. */
  public synchronized void forget(String tabletId) {
    if (byTablet.containsKey(tabletId)) {
      deleted.add(tabletId);
    }
    sweep();
  }

  @GuardedBy("this")
  private void sweep() {
    for (Iterator<String> ids = deleted.iterator(); ids.hasNext(); ) {
      String tabletId = ids.next();
      BufferAllocator memory = byTablet.get(tabletId);
      if (memory != null && isUnused(memory)) {
        byTablet.remove(tabletId);
        memory.close();
        ids.remove();
      }
    }
  }

  private static boolean isUnused(BufferAllocator memory) {
    return memory.getAllocatedMemory() == 0 && memory.getChildAllocators().isEmpty();
  }

  /** All tablets must be closed before this call. */
  @Override
  public synchronized void close() {
    byTablet.values().forEach(BufferAllocator::close);
    byTablet.clear();
    all.close();
  }
}
