package dev.kudu4j.tablet.compaction.delta;

import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.checkpoint.CheckpointCrashPoints;
import dev.kudu4j.tablet.checkpoint.FileNames;
import dev.kudu4j.tablet.checkpoint.NewFiles;
import dev.kudu4j.tablet.checkpoint.RowSetIndexer;
import dev.kudu4j.tablet.compaction.FileReplacement;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.components.RowSetFiles;
import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.delta.DeltaFileWriter;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.index.IndexFile;
import dev.kudu4j.tablet.rewrite.FlushedRowReader;
import dev.kudu4j.tablet.rewrite.HistorySink;
import dev.kudu4j.tablet.rowset.ColumnFile;
import dev.kudu4j.tablet.rowset.ColumnFileWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Rewrites some columns of a rowset with all REDO changes applied.
 *
 * <pre>
 *   before    base(a, b, c)                     REDO: a = 5, b = 6 | a = 7 | DELETE
 *   after     base(a, b, c), columns(a)         REDO: b = 6 | DELETE        UNDO: a was 5 | a was 1
 * </pre>
 *
 * <p>Changes of other columns, and deletions, go to one new REDO file. A column file is dropped
 * once later column files contain all its columns.
 */
public final class MajorDeltaCompaction extends FileReplacement {
  private final Schema tabletSchema;
  private final Schema columns;
  private final List<DeltaFile> redo;
  private final List<IndexDefinition> indexes;

  /**
   * @param rowSet pinned until this update is closed; has no frozen DeltaMemStore
   * @param tablet the descriptor in the superblock; indexes of rewritten columns are built again
   * @param columnIds ids of non-key columns
   * @param ancientHistoryMark history below it may be dropped; 0 keeps all history
   */
  public MajorDeltaCompaction(
      TabletEnvironment environment,
      DiskRowSet rowSet,
      TabletDescriptor tablet,
      List<Integer> columnIds,
      long ancientHistoryMark) {
    super(environment, rowSet, ancientHistoryMark);
    this.tabletSchema = tablet.schema();
    this.redo = rowSet.redoFiles();
    this.indexes = tablet.indexes();
    List<ColumnSchema> chosen = new ArrayList<>();
    for (int id : columnIds) {
      ColumnSchema column = tabletSchema.column(tabletSchema.indexOfId(id));
      if (column.isKey()) {
        throw new IllegalArgumentException("Key columns never change: " + column);
      }
      chosen.add(column);
    }
    this.columns = new Schema(chosen);
  }

  @Override
  protected RowSetFiles replace(NewFiles files) throws IOException {
    long id = rowSet().id();
    Path path = files.create(FileNames.columns(id, files.newId()));
    try (LazyDeltaFile undo =
            new LazyDeltaFile(environment(), files, id, DeltaFileWriter.Kind.UNDO);
        LazyDeltaFile rest =
            new LazyDeltaFile(environment(), files, id, DeltaFileWriter.Kind.REDO);
        ColumnFileWriter out = new ColumnFileWriter(environment(), path, columns)) {
      rewrite(out, undo, rest);
      environment().crashPoints().reach(CheckpointCrashPoints.BEFORE_BASE_SYNC);
      out.finish();
      ColumnFile written = ColumnFile.open(environment(), path);
      releaseLater(written::release);
      return filesAfter(files, written, undo, rest);
    }
  }

  private void rewrite(ColumnFileWriter out, LazyDeltaFile undo, LazyDeltaFile rest)
      throws IOException {
    int blockRows = environment().options().batchRows();
    long rows = rowSet().base().rowCount();
    try (FlushedRowReader source =
            FlushedRowReader.ofColumns(
                environment().allocator(),
                rowSet().onDisk(),
                columns,
                tabletSchema,
                redo,
                ancientHistoryMark());
        ColumnBatch batch = new ColumnBatch(environment().allocator(), columns)) {
      for (long first = 0; first < rows; first += blockRows) {
        source.read(first, (int) Math.min(blockRows, rows - first), batch, sink(first, undo, rest));
        out.append(batch);
      }
    }
  }

  private static HistorySink sink(long first, LazyDeltaFile undo, LazyDeltaFile rest) {
    return new HistorySink() {
      @Override
      public void undo(int row, long entry) throws IOException {
        undo.append(first + row, entry);
      }

      @Override
      public void redo(int row, long entry) throws IOException {
        rest.append(first + row, entry);
      }
    };
  }

  private RowSetFiles filesAfter(
      NewFiles files, ColumnFile written, LazyDeltaFile undo, LazyDeltaFile rest)
      throws IOException {
    RowSetFiles before = rowSet().onDisk();
    List<ColumnFile> columnFiles = new ArrayList<>(before.columnFiles());
    columnFiles.add(written);
    List<DeltaFile> undoFiles = new ArrayList<>(before.undoFiles());
    if (undo.writer() != null) {
      undoFiles.add(finish(undo.writer(), undo.path()));
    }
    List<DeltaFile> redoFiles = new ArrayList<>();
    if (rest.writer() != null) {
      redoFiles.add(finish(rest.writer(), rest.path()));
    }
    RowSetFiles after =
        new RowSetFiles(
            before.base(), stillRead(columnFiles), undoFiles, redoFiles, stillTrue(before));
    return new RowSetIndexer(environment(), files, this::releaseLater)
        .index(rowSet().id(), after, indexes, tabletSchema);
  }

  /** The index files without cells of a rewritten column. */
  private List<IndexFile> stillTrue(RowSetFiles before) {
    return before.indexFiles().stream()
        .filter(file -> columns.columns().stream().noneMatch(column -> file.hasColumn(column.id())))
        .toList();
  }

  /**
   * The files with at least one column that is in no later file and is still in the tablet's
   * schema.
   */
  private List<ColumnFile> stillRead(List<ColumnFile> files) {
    List<ColumnFile> read = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      List<ColumnFile> later = files.subList(i + 1, files.size());
      boolean isRead =
          files.get(i).columns().stream()
              .map(column -> column.column().id())
              .anyMatch(
                  columnId ->
                      tabletSchema.indexOfId(columnId) >= 0
                          && later.stream().noneMatch(file -> file.hasColumn(columnId)));
      if (isRead) {
        read.add(files.get(i));
      }
    }
    return read;
  }

  @Override
  public String toString() {
    return "Major delta compaction of %s, columns %s, %d REDO files"
        .formatted(
            rowSet(), columns.columns().stream().map(ColumnSchema::name).toList(), redo.size());
  }
}
