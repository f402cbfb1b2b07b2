package dev.kudu4j.tserver.tablets;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The off-heap memory of each tablet, under a name of its own, so that it can be seen who uses how
 * much. That of a deleted tablet goes when the last scan has let go of it, at the latest when
 * another tablet comes or goes. Thread-safe.
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

  /** The parent of all memory of the tablet; stays this object's. */
  public synchronized BufferAllocator of(String tabletId) {
    deleted.remove(tabletId);
    sweep();
    return byTablet.computeIfAbsent(
        tabletId, id -> all.newChildAllocator("tablet-" + id, 0, Long.MAX_VALUE));
  }

  /** The tablet has been deleted. */
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
      if (isUnused(memory)) {
        byTablet.remove(tabletId);
        memory.close();
        ids.remove();
      }
    }
  }

  private static boolean isUnused(BufferAllocator memory) {
    return memory.getAllocatedMemory() == 0 && memory.getChildAllocators().isEmpty();
  }

  /** All tablets are closed by then. */
  @Override
  public synchronized void close() {
    byTablet.values().forEach(BufferAllocator::close);
    byTablet.clear();
    all.close();
  }
}
