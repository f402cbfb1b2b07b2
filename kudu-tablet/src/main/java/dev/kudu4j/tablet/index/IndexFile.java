package dev.kudu4j.tablet.index;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.cfile.ColumnIndex;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.file.BlockLocation;
import dev.kudu4j.tablet.file.FileKind;
import dev.kudu4j.tablet.file.FooterReader;
import dev.kudu4j.tablet.file.FooterWriter;
import dev.kudu4j.tablet.file.StoredFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Cells of some columns of a rowset, in the order of the indexed columns, and the ordinal of each
 * row. A row of this file is called an entry. Any number of threads may read the file.
 *
 * <pre>
 *   footer: entry count i64 | index id i32 | indexed column count i32
 *           | column count i32 | {@link ColumnIndex} each, the indexed columns first
 *           | ordinals: {@link ColumnIndex} of a pseudo column, INT32, id -3
 *           | {@link EntryFilter}, since version 2
 * </pre>
 */
public final class IndexFile extends StoredFile {
  /** The id of the pseudo column of ordinals. */
  private static final int ORDINAL_ID = -3;

  static final ColumnSchema ORDINAL =
      ColumnSchema.builder("ordinal", DataType.INT32).id(ORDINAL_ID).build();

  private static final int FIRST_FILTERED_VERSION = 2;

  private final long entryCount;
  private final int indexId;
  private final List<Integer> indexedColumns = new ArrayList<>();
  private final List<ColumnIndex> columns = new ArrayList<>();
  private final Map<Integer, ColumnIndex> columnsById = new HashMap<>();
  private final ColumnIndex ordinals;
  private final EntryFilter filter;

  private IndexFile(Opened opened) {
    super(opened);
    FooterReader footer = opened.file().footer();
    this.entryCount = footer.getLong();
    this.indexId = footer.getInt();
    int indexed = footer.getInt();
    int count = footer.getCount(1);
    if (indexed < 1 || indexed > count) {
      throw footer.broken("expected 1 to %d indexed columns, found %d", count, indexed);
    }
    for (int i = 0; i < count; i++) {
      ColumnIndex column = readColumn(footer);
      columns.add(column);
      columnsById.put(column.column().id(), column);
      if (i < indexed) {
        indexedColumns.add(column.column().id());
      }
    }
    this.ordinals = readColumn(footer);
    boolean filtered = sealedFile().version() >= FIRST_FILTERED_VERSION;
    this.filter =
        new EntryFilter(sealedFile(), filtered ? EntryFilter.readFrom(footer) : List.of());
    footer.end();
  }

  private ColumnIndex readColumn(FooterReader footer) {
    ColumnIndex column = ColumnIndex.readFrom(footer);
    if (column.rowCount() != entryCount) {
      throw footer.broken(
          "expected %d entries of column %s, found %d",
          entryCount, column.column(), column.rowCount());
    }
    return column;
  }

  /**
   * Opens the file and validates header and footer. The caller holds the first reference.
   *
   * @throws dev.kudu4j.common.status.KuduException CORRUPTION for a damaged file, NOT_SUPPORTED for
   *     a different format version
   */
  public static IndexFile open(TabletEnvironment environment, Path file) throws IOException {
    return open(environment, file, FileKind.INDEX, "base data", IndexFile::new);
  }

  static byte[] footer(
      long entryCount,
      int indexId,
      int indexed,
      List<ColumnIndex> columns,
      ColumnIndex ordinals,
      List<BlockLocation> filter) {
    FooterWriter footer = new FooterWriter();
    footer.putLong(entryCount).putInt(indexId).putInt(indexed).putInt(columns.size());
    for (ColumnIndex column : columns) {
      column.writeTo(footer);
    }
    ordinals.writeTo(footer);
    EntryFilter.writeTo(footer, filter);
    return footer.toByteArray();
  }

  /** The filter of the values; absent unless the index is unique. */
  public EntryFilter filter() {
    return filter;
  }

  /** Equals the row count of the base data. */
  public long entryCount() {
    return entryCount;
  }

  public int indexId() {
    return indexId;
  }

  /** Ids of the indexed columns, the most significant first. */
  public List<Integer> indexedColumns() {
    return List.copyOf(indexedColumns);
  }

  /** All columns: the indexed ones first, then the included ones. */
  public List<ColumnIndex> columns() {
    return List.copyOf(columns);
  }

  /** Whether the file contains cells of the column. */
  public boolean hasColumn(int columnId) {
    return columnsById.containsKey(columnId);
  }

  /**
   * A reader of the cells of a column, by position of the entry, which the caller closes; null if
   * the file does not have the column.
   */
  public @Nullable ColumnReader openColumn(int columnId) {
    ColumnIndex column = columnsById.get(columnId);
    return column == null ? null : new ColumnReader(sealedFile(), column, allocator());
  }

  /** A reader of the ordinals, INT32, by position of the entry; the caller closes it. */
  public ColumnReader openOrdinals() {
    return new ColumnReader(sealedFile(), ordinals, allocator());
  }

  /** The index of the pages of ordinals, for checks and dumps. */
  public ColumnIndex ordinals() {
    return ordinals;
  }
}
