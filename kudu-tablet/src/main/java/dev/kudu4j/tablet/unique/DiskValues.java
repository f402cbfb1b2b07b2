package dev.kudu4j.tablet.unique;

import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.index.EntrySearch;
import dev.kudu4j.tablet.index.IndexFile;
import dev.kudu4j.tablet.index.IndexValue;
import dev.kudu4j.tablet.memory.ValuesByHash;
import dev.kudu4j.tablet.scan.index.ChangedRows;
import dev.kudu4j.tablet.scan.index.OrdinalSet;
import java.io.IOException;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The values of the rows of a DiskRowSet, by ordinal: those of base data in the index file, those
 * that were set since in memory. Without the file, all are in memory.
 */
final class DiskValues extends StoreValues {
  private final BufferAllocator allocator;
  private final IndexDefinition index;
  private final CurrentRows rows;
  private final @Nullable IndexFile file;
  private DiskRowSet store;

  /** The first entries of values that no row has any more according to base data, by hash. */
  private final ValuesByHash abandoned;

  DiskValues(BufferAllocator allocator, CurrentRows rows, IndexDefinition index, DiskRowSet store) {
    super(allocator, rows);
    this.allocator = allocator;
    this.index = index;
    this.rows = rows;
    this.store = store;
    this.file = store.onDisk().indexFile(index);
    this.abandoned = new ValuesByHash(allocator);
  }

  /**
   * Continues with a later version of the rowset; false if its index file is another, or many
   * entries are certainly stale, so that the values must be loaded again.
   */
  @SuppressWarnings("ReferenceEquality") // another file is another object
  boolean follow(DiskRowSet later) {
    boolean same = later.id() == store.id() && later.onDisk().indexFile(index) == file;
    if (!same || count() > 2 * store.base().rowCount()) {
      return false;
    }
    store = later;
    return true;
  }

  @Override
  Object store() {
    return store;
  }

  @Override
  boolean isLive(long row) {
    return CurrentRows.isLive(store, row);
  }

  @Override
  void read(CurrentRows reader, long[] wanted) throws IOException {
    reader.read(store, wanted);
  }

  @Override
  void load() throws IOException {
    int count = Math.toIntExact(store.base().rowCount());
    if (file == null && !store.onDisk().isNullByDefault(rows.columns())) {
      load(LongStream.range(0, count).toArray());
      return;
    }
    OrdinalSet changed = new OrdinalSet();
    ChangedRows.addTo(changed, store, Long.MAX_VALUE, index.columns(), false, Integer.MAX_VALUE);
    changed.sort(count);
    load(changed.toArray(0, count));
  }

  @Override
  boolean isTaken(IndexValue value, long hash, RowPlace self) throws IOException {
    return super.isTaken(value, hash, self)
        || (file != null && file.filter().mayContain(hash) && isInFile(file, value, hash, self));
  }

  private boolean isInFile(IndexFile entries, IndexValue value, long hash, RowPlace self)
      throws IOException {
    try (EntrySearch search = new EntrySearch(allocator, entries, rows.types())) {
      long first = search.first(value);
      if (isAbandoned(hash, first)) {
        return false;
      }
      boolean live = false;
      for (long entry = first; search.isAt(entry, value); entry++) {
        long ordinal = search.ordinal(entry);
        if (self.is(store, ordinal)) {
          self.setKnown();
          live = true;
        } else if (hasStill(ordinal, value, hash)) {
          return true;
        }
      }
      if (!live && search.isAt(first, value)) {
        abandoned.add(hash, first);
      }
      return false;
    }
  }

  /** A row can get the value again only by a write, which is noted in memory. */
  private boolean isAbandoned(long hash, long first) {
    for (int slot = abandoned.first(hash);
        slot != ValuesByHash.NONE;
        slot = abandoned.next(hash, slot)) {
      if (abandoned.value(slot) == first) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    abandoned.close();
    super.close();
  }
}
