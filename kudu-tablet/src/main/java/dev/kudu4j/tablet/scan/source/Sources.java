package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.memrowset.MemRowSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Creates the source of a whole scan from the components of a tablet that can contain matching
 * rows.
 */
public final class Sources {
  private Sources() {}

  /** Reads nothing, because no row can match. */
  public static RowSource none(CompiledScan plan, Components components) {
    plan.work().addRowSets(components.rowSets().size());
    plan.work().addOutside(components.rowSets().size());
    return new EmptySource();
  }

  /** Reads the components sequentially. Borrows the components. */
  public static RowSource unordered(
      CompiledScan plan, Components components, BufferAllocator allocator, boolean wantsLastKey) {
    BlockMemory shared = new BlockMemory(plan, allocator);
    List<RowSource> sources = ofParts(plan, components, allocator, shared);
    return new SourceSequence(sources, shared, wantsLastKey);
  }

  /** Merges the components by key. Borrows the components. */
  public static RowSource ordered(
      CompiledScan plan, Components components, BufferAllocator allocator, Schema projection)
      throws IOException {
    List<RowSource> sources = ofParts(plan, components, allocator, null);
    return new KeyOrderedMerge(plan, sources, allocator, projection);
  }

  private static List<RowSource> ofParts(
      CompiledScan plan,
      Components components,
      BufferAllocator allocator,
      @Nullable BlockMemory shared) {
    List<RowSource> sources = new ArrayList<>();
    for (DiskRowSet rowSet : candidates(plan, components)) {
      if (!DiskRowSetSource.isOutside(plan, rowSet)) {
        sources.add(new DiskRowSetSource(plan, allocator, shared, rowSet));
      }
    }
    plan.work().addRowSets(components.rowSets().size());
    plan.work().addOutside(components.rowSets().size() - sources.size());
    for (MemRowSet rows : components.frozenMemRowSets()) {
      addRows(plan, allocator, shared, rows, sources);
    }
    addRows(plan, allocator, shared, components.activeMemRowSet(), sources);
    return sources;
  }

  private static List<DiskRowSet> candidates(CompiledScan plan, Components components) {
    byte[] key = plan.lowerKey();
    return key != null && plan.isSingleKey()
        ? components.tree().covering(key)
        : components.rowSets();
  }

  private static void addRows(
      CompiledScan plan,
      BufferAllocator allocator,
      @Nullable BlockMemory shared,
      MemRowSet rows,
      List<RowSource> sources) {
    if (rows.rowCount() > 0 && rows.minTimestamp() < plan.snapshot()) {
      plan.work().addMemRowSet();
      sources.add(new MemRowSetSource(plan, allocator, shared, rows));
    }
  }
}
