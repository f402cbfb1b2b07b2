package dev.kudu4j.server.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Converts an allocator and its descendants to trackers. Children with the same name become one
 * tracker, because there may be many of them, such as the scans of a tablet. The name of a tracker
 * is its path in the tree, because children of different parents have the same names, such as the
 * MemRowSets of all tablets.
 */
final class AllocatorTree {
  private AllocatorTree() {}

  /**
   * @param name the name of the tracker; the name of a root allocator cannot be used, because Arrow
   *     names every root ROOT
   */
  static void addTo(
      List<MemoryTracker> all, String name, BufferAllocator allocator, String parent) {
    add(all, List.of(allocator), name, parent);
  }

  private static void add(
      List<MemoryTracker> all, List<BufferAllocator> same, String name, String parent) {
    long limit = 0;
    long used = 0;
    long peak = 0;
    Map<String, List<BufferAllocator>> children = new TreeMap<>();
    for (BufferAllocator one : same) {
      limit = Math.max(limit, one.getLimit());
      used += one.getAllocatedMemory();
      peak += one.getPeakMemoryAllocation();
      for (BufferAllocator child : one.getChildAllocators()) {
        children.computeIfAbsent(child.getName(), n -> new ArrayList<>()).add(child);
      }
    }
    all.add(new MemoryTracker(name, parent, limit == Long.MAX_VALUE ? -1 : limit, used, peak));
    children.forEach((child, alike) -> add(all, alike, name + "/" + child, name));
  }
}
