package dev.kudu4j.tablet.unique;

import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.tablet.TabletDescriptor;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/** The unique indexes of a tablet that are enforced. Writer only. */
public final class UniqueIndexes implements AutoCloseable {
  private final BufferAllocator allocator;
  private List<UniqueIndex> enforced = List.of();
  private @Nullable TabletDescriptor seen;
  private boolean closed;

  /**
   * @param parent of the allocator of all tables; closed by the caller
   */
  public UniqueIndexes(BufferAllocator parent) {
    this.allocator = parent.newChildAllocator("unique indexes", 0, Long.MAX_VALUE);
  }

  /** The indexes that a tablet with this descriptor enforces. */
  @SuppressWarnings("ReferenceEquality") // an alteration creates another descriptor
  public List<UniqueIndex> of(TabletDescriptor tablet) {
    if (tablet != seen) {
      use(tablet);
      seen = tablet;
    }
    return enforced;
  }

  private void use(TabletDescriptor tablet) {
    List<UniqueIndex> before = enforced;
    List<UniqueIndex> now = new ArrayList<>();
    for (IndexDefinition index : tablet.indexes()) {
      if (index.uniqueness().isEnforced() && index.isIn(tablet.schema())) {
        now.add(
            before.stream()
                .filter(known -> known.definition().id() == index.id())
                .findFirst()
                .orElseGet(() -> new UniqueIndex(allocator, index, tablet.schema())));
      }
    }
    enforced = now;
    before.stream().filter(known -> !now.contains(known)).forEach(UniqueIndex::close);
  }

  /** The number of rows whose values are in memory, for tests. */
  public long rowsInMemory() {
    return enforced.stream().mapToLong(UniqueIndex::rowsInMemory).sum();
  }

  /** A second close does nothing. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    enforced.forEach(UniqueIndex::close);
    enforced = List.of();
    allocator.close();
  }
}
