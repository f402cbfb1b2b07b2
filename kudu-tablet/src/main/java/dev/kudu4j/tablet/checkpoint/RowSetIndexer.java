package dev.kudu4j.tablet.checkpoint;

import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.components.RowSetFiles;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.index.IndexFile;
import dev.kudu4j.tablet.index.IndexFileWriter;
import dev.kudu4j.tablet.index.IndexProgress;
import dev.kudu4j.tablet.index.OrdinalSort;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a rowset the index files of the tablet's indexes, from its base data and rewritten columns.
 * A rowset without the file of an index is scanned, so a rowset may be left without one.
 */
public final class RowSetIndexer {
  /**
   * The maximum size of a column in memory while an index is built. A rowset in which a column is
   * larger gets no index file.
   */
  private static final long MAX_COLUMN_BYTES = 256L << 20;

  private static final int READ_ROWS = 4096;

  private static final Logger LOG = LoggerFactory.getLogger(RowSetIndexer.class);

  private final TabletEnvironment environment;
  private final NewFiles files;
  private final Consumer<Runnable> releaseLater;

  /**
   * @param releaseLater receives an action for each opened file, which releases the reference of
   *     its opener
   */
  public RowSetIndexer(
      TabletEnvironment environment, NewFiles files, Consumer<Runnable> releaseLater) {
    this.environment = environment;
    this.files = files;
    this.releaseLater = releaseLater;
  }

  /** Whether the rowset lacks an index file, or has one that no definition wants. */
  public static boolean isIncomplete(
      RowSetFiles rowSet, List<IndexDefinition> indexes, Schema schema) {
    List<IndexDefinition> wanted = wanted(rowSet, indexes, schema);
    return wanted.size() != rowSet.indexFiles().size()
        || wanted.stream().anyMatch(index -> rowSet.indexFile(index) == null);
  }

  /** The files of the rowset without those of indexes that are not among the definitions. */
  public static RowSetFiles withoutDropped(
      RowSetFiles rowSet, List<IndexDefinition> indexes, Schema schema) {
    List<IndexFile> kept = new ArrayList<>();
    for (IndexDefinition index : wanted(rowSet, indexes, schema)) {
      IndexFile file = rowSet.indexFile(index);
      if (file != null) {
        kept.add(file);
      }
    }
    return rowSet.withIndexFiles(kept);
  }

  /** How much of each index these rowsets have. */
  public static List<IndexProgress> progress(
      List<DiskRowSet> rowSets, List<IndexDefinition> indexes, Schema schema) {
    return indexes.stream().map(index -> progress(rowSets, index, schema)).toList();
  }

  private static IndexProgress progress(
      List<DiskRowSet> rowSets, IndexDefinition index, Schema schema) {
    int built = 0;
    long rows = 0;
    long builtRows = 0;
    for (DiskRowSet rowSet : rowSets) {
      long rowCount = rowSet.base().rowCount();
      rows += rowCount;
      if (isBuilt(rowSet.onDisk(), index, schema)) {
        built++;
        builtRows += rowCount;
      }
    }
    return new IndexProgress(index.id(), rowSets.size(), built, rows, builtRows);
  }

  /**
   * Whether the rowset has the file or needs none. The writer needs the file of a unique index,
   * unless rows have no value as long as they do not change.
   */
  private static boolean isBuilt(RowSetFiles rowSet, IndexDefinition index, Schema schema) {
    if (rowSet.indexFile(index) != null) {
      return true;
    }
    if (isWanted(rowSet, index, schema)) {
      return false;
    }
    List<ColumnSchema> columns =
        index.columns().stream()
            .filter(id -> schema.indexOfId(id) >= 0)
            .map(id -> schema.column(schema.indexOfId(id)))
            .toList();
    return !index.uniqueness().isWanted() || rowSet.isNullByDefault(columns);
  }

  /** The indexes whose columns are all in the schema and in the files of the rowset. */
  private static List<IndexDefinition> wanted(
      RowSetFiles rowSet, List<IndexDefinition> indexes, Schema schema) {
    return indexes.stream().filter(index -> isWanted(rowSet, index, schema)).toList();
  }

  private static boolean isWanted(RowSetFiles rowSet, IndexDefinition index, Schema schema) {
    return rowSet.canHave(index) && index.isIn(schema);
  }

  /**
   * The files of the rowset with an index file for each index. Keeps index files that are there and
   * drops those of other indexes.
   *
   * @param schema of the tablet
   */
  public RowSetFiles index(
      long rowSetId, RowSetFiles rowSet, List<IndexDefinition> indexes, Schema schema)
      throws IOException {
    List<IndexFile> result = new ArrayList<>();
    for (IndexDefinition index : wanted(rowSet, indexes, schema)) {
      IndexFile file = rowSet.indexFile(index);
      if (file == null) {
        file = buildIfThereIsMemory(rowSetId, rowSet, index);
      }
      if (file != null) {
        result.add(file);
      }
    }
    return rowSet.withIndexFiles(result);
  }

  /** A flush must not fail because of an index: it frees the memory that is lacking. */
  private @Nullable IndexFile buildIfThereIsMemory(
      long rowSetId, RowSetFiles rowSet, IndexDefinition index) throws IOException {
    try {
      return build(rowSetId, rowSet, index);
    } catch (OutOfMemoryException e) {
      LOG.warn(
          "No memory to build the index {} of rowset {}; it is built later: {}",
          index.name(),
          rowSetId,
          e.getMessage());
      return null;
    }
  }

  /** Writes, syncs and opens the file of an index; null if a column is too large. */
  private @Nullable IndexFile build(long rowSetId, RowSetFiles rowSet, IndexDefinition index)
      throws IOException {
    int rows = Math.toIntExact(rowSet.base().rowCount());
    List<ColumnCells> indexed = new ArrayList<>();
    try (BufferAllocator allocator =
            environment.allocator().newChildAllocator("index builds", 0, Long.MAX_VALUE);
        OrdinalSort order = new OrdinalSort(allocator, rows)) {
      try {
        for (int id : index.columns()) {
          indexed.add(new ColumnCells(allocator, rowSet, id));
        }
        for (int i = indexed.size() - 1; i >= 0; i--) {
          if (!indexed.get(i).load()) {
            return null;
          }
          order.by(indexed.get(i).cells);
        }
        return write(rowSetId, rowSet, index, allocator, indexed, order);
      } finally {
        indexed.forEach(ColumnCells::close);
      }
    }
  }

  private @Nullable IndexFile write(
      long rowSetId,
      RowSetFiles rowSet,
      IndexDefinition index,
      BufferAllocator allocator,
      List<ColumnCells> indexed,
      OrdinalSort order)
      throws IOException {
    Path path = files.create(FileNames.index(rowSetId, files.newId()));
    try (IndexFileWriter out = new IndexFileWriter(environment, path)) {
      for (ColumnCells column : indexed) {
        out.write(column.reader.column(), column.cells, order);
      }
      for (int id : index.included()) {
        try (ColumnCells column = new ColumnCells(allocator, rowSet, id)) {
          if (!column.load()) {
            return null;
          }
          out.write(column.reader.column(), column.cells, order);
        }
      }
      if (index.uniqueness().isWanted()) {
        out.writeFilter(
            indexed.stream().map(column -> column.cells).toList(),
            Math.toIntExact(rowSet.base().rowCount()));
      }
      environment.crashPoints().reach(CheckpointCrashPoints.BEFORE_INDEX_SYNC);
      out.finish(index.id(), indexed.size(), Math.toIntExact(rowSet.base().rowCount()), order);
    }
    IndexFile file = IndexFile.open(environment, path);
    releaseLater.accept(file::release);
    return file;
  }

  /** All cells of a column of the rowset. */
  private static final class ColumnCells implements AutoCloseable {
    final ColumnReader reader;
    final ColumnVector cells;

    ColumnCells(BufferAllocator allocator, RowSetFiles rowSet, int columnId) {
      ColumnReader opened = rowSet.openColumn(columnId);
      assert opened != null : "the rowset has the column";
      this.reader = opened;
      this.cells =
          new ColumnVector(allocator, reader.column().type(), reader.column().isNullable());
    }

    /** Reads the cells; false if they are too large. */
    boolean load() throws IOException {
      long rows = reader.rowCount();
      for (long first = 0; first < rows; first += READ_ROWS) {
        reader.read(first, (int) Math.min(READ_ROWS, rows - first), cells);
        if (cells.bytes() > MAX_COLUMN_BYTES) {
          return false;
        }
      }
      return true;
    }

    @Override
    public void close() {
      cells.close();
      reader.close();
    }
  }
}
