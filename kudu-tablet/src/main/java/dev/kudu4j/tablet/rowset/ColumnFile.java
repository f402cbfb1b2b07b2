package dev.kudu4j.tablet.rowset;

import dev.kudu4j.tablet.cfile.ColumnIndex;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.file.FileKind;
import dev.kudu4j.tablet.file.FooterReader;
import dev.kudu4j.tablet.file.FooterWriter;
import dev.kudu4j.tablet.file.StoredFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Rewritten columns of a rowset. They replace the columns with the same ids in the base data and in
 * older column files. Any number of threads may read the file.
 *
 * <pre>
 *   footer: row count i64 | column count i32 | {@link ColumnIndex} each
 * </pre>
 */
public final class ColumnFile extends StoredFile {
  private final long rowCount;
  private final List<ColumnIndex> columns = new ArrayList<>();
  private final Map<Integer, ColumnIndex> columnsById = new HashMap<>();

  private ColumnFile(Opened opened) {
    super(opened);
    FooterReader footer = opened.file().footer();
    this.rowCount = footer.getLong();
    int count = footer.getCount(1);
    for (int i = 0; i < count; i++) {
      ColumnIndex column = BaseDataFooter.readColumn(footer, rowCount);
      columns.add(column);
      columnsById.put(column.column().id(), column);
    }
    footer.end();
  }

  /**
   * Opens the file and validates header and footer. The caller holds the first reference.
   *
   * @throws dev.kudu4j.common.status.KuduException CORRUPTION for a damaged file, NOT_SUPPORTED for
   *     a different format version
   */
  public static ColumnFile open(TabletEnvironment environment, Path file) throws IOException {
    return open(environment, file, FileKind.COLUMNS, "base data", ColumnFile::new);
  }

  static byte[] footer(long rowCount, List<ColumnIndex> columns) {
    FooterWriter footer = new FooterWriter();
    footer.putLong(rowCount).putInt(columns.size());
    for (ColumnIndex column : columns) {
      column.writeTo(footer);
    }
    return footer.toByteArray();
  }

  /** Equals the row count of the base data. */
  public long rowCount() {
    return rowCount;
  }

  public List<ColumnIndex> columns() {
    return Collections.unmodifiableList(columns);
  }

  /** Whether the file contains the column. */
  public boolean hasColumn(int columnId) {
    return columnsById.containsKey(columnId);
  }

  /** The size of the column's pages; the file must contain the column. */
  public long columnBytes(int columnId) {
    return Objects.requireNonNull(columnsById.get(columnId), "the file has the column").bytes();
  }

  /** A reader of the column; the caller closes it. */
  public ColumnReader openColumn(int columnId) {
    ColumnIndex column = columnsById.get(columnId);
    if (column == null) {
      throw new IllegalArgumentException(file() + " has no column with id " + columnId);
    }
    return new ColumnReader(sealedFile(), column, allocator());
  }
}
