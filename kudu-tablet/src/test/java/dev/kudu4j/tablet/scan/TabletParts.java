package dev.kudu4j.tablet.scan;

import dev.kudu4j.common.expression.Aggregation;
import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.KeyEncoder;
import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.cache.PageCache;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.components.Liveness;
import dev.kudu4j.tablet.components.RefCounted;
import dev.kudu4j.tablet.components.RowSetFiles;
import dev.kudu4j.tablet.components.RowSetTree;
import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.delta.DeltaFileWriter;
import dev.kudu4j.tablet.delta.DeltaMemStore;
import dev.kudu4j.tablet.delta.Mutation;
import dev.kudu4j.tablet.delta.RowChangeBuilder;
import dev.kudu4j.tablet.env.CrashPoints;
import dev.kudu4j.tablet.env.LocalFileStore;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.env.TabletOptions;
import dev.kudu4j.tablet.memory.Allocators;
import dev.kudu4j.tablet.memrowset.CellSource;
import dev.kudu4j.tablet.memrowset.MemRow;
import dev.kudu4j.tablet.memrowset.MemRowSet;
import dev.kudu4j.tablet.memrowset.RowFormat;
import dev.kudu4j.tablet.rewrite.MutationList;
import dev.kudu4j.tablet.rewrite.MutationSource;
import dev.kudu4j.tablet.rewrite.RollForward;
import dev.kudu4j.tablet.rewrite.RowHistories;
import dev.kudu4j.tablet.rowset.BaseData;
import dev.kudu4j.tablet.rowset.DiskRowSetWriter;
import dev.kudu4j.tablet.scan.aggregate.AggregateRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The stores of a tablet without its write path: MemRowSets, DeltaMemStores, and rowsets and delta
 * files on disk. Closing checks that nothing leaked.
 */
final class TabletParts implements AutoCloseable {
  private final BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
  private final LocalFileStore files = new LocalFileStore();
  private final TabletEnvironment environment;
  private final RowChangeBuilder change = new RowChangeBuilder();
  private final PageCache pages = new PageCache(allocator, 64 << 10);
  private Schema schema;
  private RefCounted<MemRowSet> active;
  private RefCounted<MemRowSet> frozen;
  private final List<DiskPart> disks = new ArrayList<>();
  private int fileCount;
  private LongSupplier clock = System::nanoTime;

  /** One DiskRowSet and its stores. */
  private static final class DiskPart {
    private BaseData base;
    private final List<DeltaFile> undo = new ArrayList<>();
    private final List<DeltaFile> redo = new ArrayList<>();
    private RefCounted<DeltaMemStore> frozenDeltas;
    private RefCounted<DeltaMemStore> activeDeltas;
  }

  TabletParts(Path directory, Schema schema, int batchRows, int pageBytes) {
    TabletOptions base = TabletOptions.DEFAULT;
    TabletOptions options =
        new TabletOptions(
            pageBytes,
            base.rowSetBytes(),
            batchRows,
            8192,
            base.maxCellBytes(),
            base.maxKeyBytes());
    this.environment =
        new TabletEnvironment(
            files,
            directory,
            allocator,
            pages,
            CrashPoints.NONE,
            new Random(1),
            () -> clock.getAsLong(),
            options);
    this.schema = schema;
    this.active = new RefCounted<>(new MemRowSet(allocator, 8192, schema));
  }

  TabletEnvironment environment() {
    return environment;
  }

  /** Replaces the clock of scans. */
  void clock(LongSupplier nanos) {
    clock = nanos;
  }

  BufferAllocator allocator() {
    return allocator;
  }

  Schema schema() {
    return schema;
  }

  int diskCount() {
    return disks.size();
  }

  /** Whether the next flush step writes a rowset. */
  boolean hasFrozenRows() {
    return frozen != null;
  }

  void alter(Schema next) {
    schema = next;
    active.get().useSchema(next);
  }

  static byte[] key(Schema schema, byte[][] cellsById) {
    KeyBuffer out = new KeyBuffer();
    for (int i = 0; i < schema.keyColumnCount(); i++) {
      byte[] cell = cellsById[schema.column(i).id()];
      boolean last = i == schema.keyColumnCount() - 1;
      KeyEncoder.appendCell(schema.column(i).type(), cell, 0, cell.length, last, out);
    }
    return out.toByteArray();
  }

  /**
   * The places of all rows with the key: -2 for the active MemRowSet, -1 for the frozen one, else
   * the index of the DiskRowSet.
   */
  List<Integer> placesOf(byte[] key) throws IOException {
    List<Integer> places = new ArrayList<>();
    if (active.get().find(key, 0, key.length) != 0) {
      places.add(-2);
    }
    if (frozen != null && frozen.get().find(key, 0, key.length) != 0) {
      places.add(-1);
    }
    for (int i = 0; i < disks.size(); i++) {
      if (disks.get(i).base.find(key, 0, key.length) >= 0) {
        places.add(i);
      }
    }
    return places;
  }

  /** Adds a row whose key the active MemRowSet does not have. */
  void insert(byte[] key, byte[][] cellsById, long timestamp) {
    active.get().insert(key, 0, key.length, cells(cellsById), timestamp);
  }

  private CellSource cells(byte[][] cellsById) {
    return new CellSource() {
      @Override
      public boolean isNull(int column) {
        return cellArray(column) == null;
      }

      @Override
      public byte[] cellArray(int column) {
        return cellsById[schema.column(column).id()];
      }

      @Override
      public int cellOffset(int column) {
        return 0;
      }

      @Override
      public int cellLength(int column) {
        return cellArray(column).length;
      }
    };
  }

  /**
   * Changes a row of the store at this place.
   *
   * @param columnIds the columns that the change sets
   */
  void mutate(
      int place,
      byte[] key,
      byte kind,
      List<Integer> columnIds,
      byte[][] cellsById,
      long timestamp,
      int sequence)
      throws IOException {
    change.begin(kind);
    for (int id : columnIds) {
      if (cellsById[id] == null) {
        change.addNull(id);
      } else {
        change.addCell(id, cellsById[id], 0, cellsById[id].length);
      }
    }
    if (place < 0) {
      MemRowSet rows = place == -2 ? active.get() : frozen.get();
      long row = rows.find(key, 0, key.length);
      rows.mutate(row, timestamp, sequence, change.array(), 0, change.length());
    } else {
      DiskPart disk = disks.get(place);
      long ordinal = disk.base.find(key, 0, key.length);
      disk.activeDeltas.get().add(ordinal, timestamp, sequence, change.array(), 0, change.length());
    }
  }

  /** Freezes the active MemRowSet, or flushes the frozen one. */
  void flushStep() throws IOException {
    if (frozen == null) {
      frozen = active;
      active = new RefCounted<>(new MemRowSet(allocator, 8192, schema));
    } else {
      if (frozen.get().rowCount() > 0) {
        disks.add(writeDisk(frozen.get()));
      }
      frozen.release();
      frozen = null;
    }
  }

  private DiskPart writeDisk(MemRowSet rows) throws IOException {
    Path file = environment.directory().resolve("base-" + fileCount++);
    Path undoFile = environment.directory().resolve("undo-" + fileCount++);
    Path redoFile = environment.directory().resolve("redo-" + fileCount++);
    List<Long> addresses = new ArrayList<>();
    MemRowSet.Cursor cursor = rows.cursor();
    while (cursor.next()) {
      addresses.add(cursor.row());
    }
    long boundary = boundary(rows);
    RowHistories histories = new RowHistories();
    DiskPart disk = new DiskPart();
    try (RollForward rollForward = RollForward.ofRows(allocator, schema, 0)) {
      writeBase(rows, addresses, file, boundary, rollForward, histories);
      try (DeltaFileWriter undo =
              new DeltaFileWriter(environment, undoFile, DeltaFileWriter.Kind.UNDO);
          DeltaFileWriter redo =
              new DeltaFileWriter(environment, redoFile, DeltaFileWriter.Kind.REDO)) {
        for (int i = 0; i < addresses.size(); i++) {
          histories.writeUndo(i, i, undo);
          for (long mutation = MemRow.newestMutation(addresses.get(i));
              mutation != 0 && Mutation.timestamp(mutation) > boundary;
              mutation = Mutation.next(mutation)) {
            redo.appendEntry(i, mutation);
          }
          histories.writeRedo(i, i, redo);
        }
        undo.finish();
        redo.finish();
      }
    }
    disk.base = BaseData.open(environment, file);
    disk.activeDeltas = new RefCounted<>(new DeltaMemStore(allocator, 4096));
    disk.undo.add(DeltaFile.open(environment, undoFile));
    disk.redo.add(DeltaFile.open(environment, redoFile));
    return disk;
  }

  /**
   * The timestamp up to which changes are rolled forward into the base data: random, so all, none
   * or some of them.
   */
  private long boundary(MemRowSet rows) {
    return switch (environment.random().nextInt(4)) {
      case 0 -> 0;
      case 1 -> (rows.minTimestamp() + rows.maxTimestamp()) / 2;
      default -> Long.MAX_VALUE - 1;
    };
  }

  /** Writes the base data; a column that a row does not have gets its read default. */
  private void writeBase(
      MemRowSet rows,
      List<Long> addresses,
      Path file,
      long boundary,
      RollForward rollForward,
      RowHistories histories)
      throws IOException {
    Schema inserted = schema;
    try (ColumnBatch batch = new ColumnBatch(allocator, inserted);
        DiskRowSetWriter writer =
            new DiskRowSetWriter(environment, file, inserted, addresses.size())) {
      long[] keyAddresses = new long[addresses.size()];
      int[] keyLengths = new int[addresses.size()];
      long[] timestamps = new long[addresses.size()];
      for (int i = 0; i < addresses.size(); i++) {
        long row = addresses.get(i);
        RowFormat format = rows.format(MemRow.layout(row));
        for (int c = 0; c < inserted.columnCount(); c++) {
          appendCell(batch, c, format, row, inserted.column(c));
        }
        keyAddresses[i] = MemRow.keyAddress(row);
        keyLengths[i] = MemRow.keyLength(row);
        timestamps[i] = MemRow.insertTimestamp(row);
      }
      batch.setRowCount(addresses.size());
      histories.begin(addresses.size());
      rollForward.roll(batch, chains(addresses, boundary), histories);
      histories.end(addresses.size());
      writer.append(batch, keyAddresses, keyLengths, timestamps);
      writer.finish();
    }
  }

  private static MutationSource chains(List<Long> addresses, long boundary) {
    return new MutationSource() {
      @Override
      public void addRedo(int row, MutationList redo) {
        long newest = MemRow.newestMutation(addresses.get(row));
        newest = newest == 0 ? 0 : Mutation.newestBelow(newest, boundary + 1);
        for (; newest != 0; newest = Mutation.next(newest)) {
          redo.add(newest);
        }
      }

      @Override
      public void addUndo(int row, MutationList undo) {}
    };
  }

  private static void appendCell(
      ColumnBatch batch, int index, RowFormat format, long row, ColumnSchema column) {
    int own = format.schema().indexOfId(column.id());
    byte[] unset = column.readDefault();
    if (own < 0 && unset != null) {
      batch.column(index).append(unset, 0, unset.length);
    } else if (own < 0 || format.isNull(row, own)) {
      batch.column(index).appendNull();
    } else {
      batch.column(index).append(format.cellAddress(row, own), format.cellLength(row, own));
    }
  }

  /** Freezes a rowset's active deltas, or flushes the frozen ones. */
  void flushDeltasStep(int index) throws IOException {
    DiskPart disk = disks.get(index);
    if (disk.frozenDeltas == null) {
      disk.frozenDeltas = disk.activeDeltas;
      disk.activeDeltas = new RefCounted<>(new DeltaMemStore(allocator, 4096));
      return;
    }
    DeltaMemStore deltas = disk.frozenDeltas.get();
    if (!deltas.isEmpty()) {
      Path file = environment.directory().resolve("redo-" + fileCount++);
      try (DeltaFileWriter writer =
          new DeltaFileWriter(environment, file, DeltaFileWriter.Kind.REDO)) {
        DeltaMemStore.Cursor cursor = deltas.cursor();
        while (cursor.next()) {
          writer.appendChain(cursor.ordinal(), cursor.newest());
        }
        writer.finish();
      }
      disk.redo.add(DeltaFile.open(environment, file));
    }
    disk.frozenDeltas.release();
    disk.frozenDeltas = null;
  }

  /** A pinned version of the parts as they are now. */
  Components pin() {
    List<DiskRowSet> rowSets = new ArrayList<>();
    for (int i = 0; i < disks.size(); i++) {
      DiskPart disk = disks.get(i);
      rowSets.add(
          new DiskRowSet(
              i,
              new RowSetFiles(disk.base, List.of(), disk.undo, disk.redo, List.of()),
              disk.frozenDeltas,
              disk.activeDeltas,
              new Liveness(disk.base.rowCount())));
    }
    return new Components(schema, active, frozen, new RowSetTree(rowSets));
  }

  /** Opens a scan of the parts as they are now. */
  List<AggregateRow> aggregate(ScanSpec spec, Aggregation aggregates) throws IOException {
    return TabletScans.aggregate(environment, pin(), schema, spec, aggregates);
  }

  TabletScanner scan(ScanSpec spec) throws IOException {
    return TabletScans.open(environment, pin(), schema, spec);
  }

  /** Like {@link #scan(ScanSpec)}, with limited working memory. */
  TabletScanner scan(ScanSpec spec, BufferAllocator scans) throws IOException {
    TabletEnvironment limited =
        new TabletEnvironment(
            files,
            environment.directory(),
            allocator,
            scans,
            pages,
            CrashPoints.NONE,
            environment.random(),
            environment.nanoTime(),
            environment.options());
    return TabletScans.open(limited, pin(), schema, spec);
  }

  /** Cells of a batch's row, null for NULL. */
  static List<byte[]> row(ColumnBatch batch, int row) {
    List<byte[]> cells = new ArrayList<>();
    for (int i = 0; i < batch.schema().columnCount(); i++) {
      if (batch.column(i).isNull(row)) {
        cells.add(null);
      } else {
        byte[] cell = new byte[batch.column(i).cellLength(row)];
        Memory.copy(batch.column(i).cellAddress(row), cell, 0, cell.length);
        cells.add(cell);
      }
    }
    return cells;
  }

  /** Rows as text, to be compared and printed. */
  static String text(List<byte[]> row) {
    List<String> cells = new ArrayList<>();
    for (byte[] cell : row) {
      cells.add(Arrays.toString(cell));
    }
    return String.join(" | ", cells);
  }

  static ColumnSchema column(int id, String name, DataType type, boolean nullable) {
    return ColumnSchema.builder(name, type).id(id).nullable(nullable).build();
  }

  @Override
  public void close() {
    active.release();
    if (frozen != null) {
      frozen.release();
    }
    for (DiskPart disk : disks) {
      disk.base.release();
      disk.undo.forEach(DeltaFile::release);
      disk.redo.forEach(DeltaFile::release);
      disk.activeDeltas.release();
      if (disk.frozenDeltas != null) {
        disk.frozenDeltas.release();
      }
    }
    long leaked = allocator.getAllocatedMemory();
    int open = files.openFiles();
    if (leaked != 0 || open != 0) {
      throw new AssertionError(leaked + " bytes and " + open + " files leaked");
    }
    pages.close();
    allocator.close();
  }
}
