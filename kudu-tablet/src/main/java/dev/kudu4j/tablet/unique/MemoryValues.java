package dev.kudu4j.tablet.unique;

import dev.kudu4j.tablet.memrowset.MemRowSet;
import java.io.IOException;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;

/** The values of the rows of a MemRowSet, by address. */
final class MemoryValues extends StoreValues {
  private final MemRowSet store;

  MemoryValues(BufferAllocator allocator, CurrentRows rows, MemRowSet store) {
    super(allocator, rows);
    this.store = store;
  }

  @Override
  Object store() {
    return store;
  }

  @Override
  boolean isLive(long row) {
    return CurrentRows.isLive(row);
  }

  @Override
  void read(CurrentRows reader, long[] wanted) throws IOException {
    reader.read(store, wanted);
  }

  @Override
  void load() throws IOException {
    long[] some = new long[CurrentRows.MAX_ROWS];
    int count = 0;
    MemRowSet.Cursor cursor = store.cursor();
    while (cursor.next()) {
      some[count++] = cursor.row();
      if (count == some.length) {
        load(some);
        count = 0;
      }
    }
    load(Arrays.copyOf(some, count));
  }
}
