package dev.kudu4j.tablet.components;

import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.file.StoredFile;
import dev.kudu4j.tablet.rowset.BaseData;
import dev.kudu4j.tablet.rowset.ColumnFile;
import java.util.ArrayList;
import java.util.List;

/**
 * The files of one rowset, open.
 *
 * <pre>
 *   what the rows were          the rows                             what was done to them since
 *   undo files, oldest first    base data, columns written anew      redo files, oldest first
 *   ---------------------------------------------------------------------------------------------> time
 * </pre>
 *
 * @param columnFiles oldest first: a column is read from the last that has it, else from base data
 * @param undoFiles of one column, each has older changes than the next one
 */
public record RowSetFiles(
    BaseData base,
    List<ColumnFile> columnFiles,
    List<DeltaFile> undoFiles,
    List<DeltaFile> redoFiles) {
  public RowSetFiles {
    columnFiles = List.copyOf(columnFiles);
    undoFiles = List.copyOf(undoFiles);
    redoFiles = List.copyOf(redoFiles);
  }

  /**
   * A reader of the column, closed by the caller; null when the files are older than the column.
   */
  public ColumnReader openColumn(int columnId) {
    for (int i = columnFiles.size() - 1; i >= 0; i--) {
      if (columnFiles.get(i).hasColumn(columnId)) {
        return columnFiles.get(i).openColumn(columnId);
      }
    }
    return base.hasColumn(columnId) ? base.openColumn(columnId) : null;
  }

  /** Bytes of the column's pages where it is read from; 0 when the files are older than it. */
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
    return files;
  }

  /** Of all files. */
  public long bytes() {
    return all().stream().mapToLong(StoredFile::fileBytes).sum();
  }

  RowSetFiles withRedoFile(DeltaFile file) {
    List<DeltaFile> files = new ArrayList<>(redoFiles);
    files.add(file);
    return new RowSetFiles(base, columnFiles, undoFiles, files);
  }

  void retain() {
    base.retain();
    columnFiles.forEach(ColumnFile::retain);
    undoFiles.forEach(DeltaFile::retain);
    redoFiles.forEach(DeltaFile::retain);
  }

  void release() {
    base.release();
    columnFiles.forEach(ColumnFile::release);
    undoFiles.forEach(DeltaFile::release);
    redoFiles.forEach(DeltaFile::release);
  }
}
