package dev.kudu4j.tablet.components;

import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.file.StoredFile;
import dev.kudu4j.tablet.index.IndexFile;
import dev.kudu4j.tablet.rowset.BaseData;
import dev.kudu4j.tablet.rowset.ColumnFile;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The open files of one rowset.
 *
 * <pre>
 *   earlier states of rows      the rows                         later changes of rows
 *   UNDO files, oldest first    base data, rewritten columns     REDO files, oldest first
 *   ---------------------------------------------------------------------------------------> time
 *                                index files: the same cells, sorted
 * </pre>
 *
 * @param columnFiles oldest first; a column is read from the last of these files that has the
 *     column, or from base data if none has it
 * @param undoFiles oldest first: for each column, the changes in a file are older than those in the
 *     next file
 * @param indexFiles at most one per index; built from the cells that {@link #openColumn} reads
 */
public record RowSetFiles(
    BaseData base,
    List<ColumnFile> columnFiles,
    List<DeltaFile> undoFiles,
    List<DeltaFile> redoFiles,
    List<IndexFile> indexFiles) {
  public RowSetFiles {
    columnFiles = List.copyOf(columnFiles);
    undoFiles = List.copyOf(undoFiles);
    redoFiles = List.copyOf(redoFiles);
    indexFiles = List.copyOf(indexFiles);
  }

  /** Opens a reader of the column, closed by the caller; null if no file has the column. */
  public @Nullable ColumnReader openColumn(int columnId) {
    for (int i = columnFiles.size() - 1; i >= 0; i--) {
      if (columnFiles.get(i).hasColumn(columnId)) {
        return columnFiles.get(i).openColumn(columnId);
      }
    }
    return base.hasColumn(columnId) ? base.openColumn(columnId) : null;
  }

  /** Whether a file has the column. */
  public boolean hasColumn(int columnId) {
    return base.hasColumn(columnId)
        || columnFiles.stream().anyMatch(file -> file.hasColumn(columnId));
  }

  /** Whether the files have all columns of the index. A rowset without them needs no index file. */
  public boolean canHave(IndexDefinition index) {
    return index.allColumns().stream().allMatch(this::hasColumn);
  }

  /** Whether the files lack one of the columns, and its rows are NULL there unless they change. */
  public boolean isNullByDefault(List<ColumnSchema> columns) {
    return columns.stream()
        .anyMatch(column -> !hasColumn(column.id()) && column.readDefault() == null);
  }

  /** The file of the index; null if there is none with these columns. */
  public @Nullable IndexFile indexFile(IndexDefinition index) {
    for (IndexFile file : indexFiles) {
      if (file.indexId() == index.id()
          && file.indexedColumns().equals(index.columns())
          && file.columns().stream()
              .map(column -> column.column().id())
              .toList()
              .equals(index.allColumns())) {
        return file;
      }
    }
    return null;
  }

  /**
   * The size of the column's pages in the file that it is read from; 0 if no file has the column.
   */
  public long columnBytes(int columnId) {
    for (int i = columnFiles.size() - 1; i >= 0; i--) {
      if (columnFiles.get(i).hasColumn(columnId)) {
        return columnFiles.get(i).columnBytes(columnId);
      }
    }
    return base.hasColumn(columnId) ? base.columnBytes(columnId) : 0;
  }

  public List<StoredFile> all() {
    List<StoredFile> files = new ArrayList<>(columnFiles);
    files.add(base);
    files.addAll(undoFiles);
    files.addAll(redoFiles);
    files.addAll(indexFiles);
    return files;
  }

  /** The size of all files. */
  public long bytes() {
    return all().stream().mapToLong(StoredFile::fileBytes).sum();
  }

  /** The size of all files except indexes. */
  public long dataBytes() {
    return bytes() - indexFiles.stream().mapToLong(IndexFile::fileBytes).sum();
  }

  RowSetFiles withRedoFile(DeltaFile file) {
    List<DeltaFile> files = new ArrayList<>(redoFiles);
    files.add(file);
    return withRedoFiles(files);
  }

  /** A copy with other changes after the rows. */
  public RowSetFiles withRedoFiles(List<DeltaFile> redo) {
    return new RowSetFiles(base, columnFiles, undoFiles, redo, indexFiles);
  }

  /** A copy with other changes before the rows. */
  public RowSetFiles withUndoFiles(List<DeltaFile> undo) {
    return new RowSetFiles(base, columnFiles, undo, redoFiles, indexFiles);
  }

  /** A copy with other indexes. */
  public RowSetFiles withIndexFiles(List<IndexFile> indexes) {
    return new RowSetFiles(base, columnFiles, undoFiles, redoFiles, indexes);
  }

  void retain() {
    base.retain();
    columnFiles.forEach(ColumnFile::retain);
    undoFiles.forEach(DeltaFile::retain);
    redoFiles.forEach(DeltaFile::retain);
    indexFiles.forEach(IndexFile::retain);
  }

  void release() {
    base.release();
    columnFiles.forEach(ColumnFile::release);
    undoFiles.forEach(DeltaFile::release);
    redoFiles.forEach(DeltaFile::release);
    indexFiles.forEach(IndexFile::release);
  }
}
