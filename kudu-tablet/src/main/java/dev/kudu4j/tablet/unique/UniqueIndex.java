package dev.kudu4j.tablet.unique;

import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.index.IndexValue;
import dev.kudu4j.tablet.memrowset.MemRowSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The values of an index that is enforced. The writer sets the value that a row is to have, asks
 * whether another row has it, and notes it once the row is written. Writer only.
 *
 * <p>A value is looked up in each store: in a table of the rows in memory and of changed rows on
 * disk, and in the index files behind their filters. So a value that no row has costs a probe of
 * one or two cache lines for each store.
 */
public final class UniqueIndex implements AutoCloseable {
  private final IndexDefinition definition;
  private final BufferAllocator allocator;
  private final CurrentRows rows;
  private final IndexValue value;
  private long hash;
  private List<StoreValues> stores = new ArrayList<>();
  private @Nullable Components seen;
  private boolean mustNote; // what the last search was for

  /**
   * @param table the tablet's schema
   */
  UniqueIndex(BufferAllocator allocator, IndexDefinition definition, Schema table) {
    this.definition = definition;
    this.allocator = allocator;
    this.rows = new CurrentRows(allocator, table, definition);
    this.value = new IndexValue(rows.types());
  }

  public IndexDefinition definition() {
    return definition;
  }

  /** The value that the caller sets before {@link #isTaken}, column by column. */
  public IndexValue value() {
    return value;
  }

  /**
   * Reads the cells that a live row has now.
   *
   * @return one cell per indexed column, valid until the next call of a method of this object
   */
  public List<ColumnVector> read(RowPlace place) throws IOException {
    long[] row = {place.row()};
    if (place.store() instanceof DiskRowSet disk) {
      rows.read(disk, row);
    } else if (place.store() instanceof MemRowSet memory) {
      rows.read(memory, row);
    } else {
      throw new IllegalStateException("There is no row to read");
    }
    return rows.cells();
  }

  /**
   * Whether a live row has the {@link #value}. An incomplete value is never taken.
   *
   * @param self the row that is to have it, which does not count
   */
  public boolean isTaken(Components components, RowPlace self) throws IOException {
    self.clearKnown();
    mustNote = false;
    if (!value.isComplete()) {
      return false;
    }
    follow(components);
    hash = value.hash();
    for (StoreValues store : stores) {
      if (store.isTaken(value, hash, self)) {
        return true;
      }
    }
    mustNote = !self.isKnown();
    return false;
  }

  /**
   * Notes that the row has the value of the last {@link #isTaken}, which was not taken.
   *
   * @param place of the row, which may be new
   */
  public void note(RowPlace place) {
    if (!mustNote) {
      return;
    }
    mustNote = false;
    for (StoreValues store : stores) {
      if (store.store() == place.store()) {
        store.add(hash, place.row());
        return;
      }
    }
    throw new IllegalStateException("A row of an unknown store: " + place.store());
  }

  /** Follows flushes and compactions: drops what is gone, and loads what is new. */
  @SuppressWarnings("ReferenceEquality") // another version is another object
  private void follow(Components components) throws IOException {
    if (seen == components) {
      return;
    }
    Set<StoreValues> gone = new HashSet<>(stores);
    List<StoreValues> now = new ArrayList<>();
    List<StoreValues> fresh = new ArrayList<>();
    for (MemRowSet memory : memory(components)) {
      now.add(find(memory, gone, () -> new MemoryValues(allocator, rows, memory), fresh));
    }
    for (DiskRowSet disk : components.rowSets()) {
      now.add(find(disk, gone, () -> new DiskValues(allocator, rows, definition, disk), fresh));
    }
    gone.forEach(StoreValues::close);
    stores = now;
    for (StoreValues store : fresh) {
      store.load();
    }
    seen = components;
  }

  private static List<MemRowSet> memory(Components components) {
    List<MemRowSet> memory = new ArrayList<>(components.frozenMemRowSets());
    memory.add(components.activeMemRowSet());
    return memory;
  }

  private static StoreValues find(
      Object store, Set<StoreValues> known, Supplier<StoreValues> maker, List<StoreValues> fresh) {
    for (StoreValues values : known) {
      boolean same =
          store instanceof DiskRowSet disk
              ? values instanceof DiskValues before && before.follow(disk)
              : values.store() == store;
      if (same) {
        known.remove(values);
        return values;
      }
    }
    StoreValues made = maker.get();
    fresh.add(made);
    return made;
  }

  /** The number of rows whose values are in memory. */
  long rowsInMemory() {
    return stores.stream().mapToLong(StoreValues::count).sum();
  }

  @Override
  public void close() {
    stores.forEach(StoreValues::close);
    stores = List.of();
    rows.close();
  }
}
