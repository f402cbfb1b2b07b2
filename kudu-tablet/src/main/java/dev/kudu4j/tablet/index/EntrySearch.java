package dev.kudu4j.tablet.index;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.cfile.ColumnReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** Finds the entries of an index file that are equal to a value, by binary search. */
public final class EntrySearch implements AutoCloseable {
  private final IndexFile file;
  private final List<ColumnReader> readers = new ArrayList<>();
  private final List<ColumnVector> cells = new ArrayList<>();
  private final ColumnReader ordinals;
  private final ColumnVector ordinal;
  private final IndexValue entry;

  /**
   * @param types of the indexed columns
   */
  public EntrySearch(BufferAllocator allocator, IndexFile file, List<DataType> types) {
    this.file = file;
    this.entry = new IndexValue(types);
    for (int id : file.indexedColumns()) {
      ColumnReader reader = file.openColumn(id);
      assert reader != null : "the file has its indexed columns";
      readers.add(reader);
      cells.add(new ColumnVector(allocator, reader.column().type(), reader.column().isNullable()));
    }
    this.ordinals = file.openOrdinals();
    this.ordinal = new ColumnVector(allocator, DataType.INT32, false);
  }

  /** The first entry that is not below a complete value; the entry count if there is none. */
  public long first(IndexValue value) throws IOException {
    long low = 0;
    long high = file.entryCount();
    while (low < high) {
      long middle = (low + high) >>> 1;
      read(middle);
      if (entry.compareToWhole(value) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Whether an entry is equal to the value. */
  public boolean isAt(long position, IndexValue value) throws IOException {
    if (position >= file.entryCount()) {
      return false;
    }
    read(position);
    return entry.isEqual(value);
  }

  private void read(long position) throws IOException {
    for (int i = 0; i < readers.size(); i++) {
      cells.get(i).clear();
      readers.get(i).read(position, 1, cells.get(i));
    }
    entry.set(cells, 0);
  }

  /** The ordinal of an entry. */
  public long ordinal(long position) throws IOException {
    ordinal.clear();
    ordinals.read(position, 1, ordinal);
    return Memory.getInt(ordinal.cellAddress(0));
  }

  @Override
  public void close() {
    readers.forEach(ColumnReader::close);
    cells.forEach(ColumnVector::close);
    ordinals.close();
    ordinal.close();
  }
}
