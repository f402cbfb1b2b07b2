package dev.kudu4j.tablet.rowset;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.cfile.ColumnIndex;
import dev.kudu4j.tablet.file.FooterReader;
import dev.kudu4j.tablet.file.FooterWriter;
import dev.kudu4j.tablet.file.SealedFile;
import java.util.ArrayList;
import java.util.List;

/**
 * The footer of a base data file.
 *
 * <pre>
 *   row count i64 | smallest insert timestamp i64 | largest insert timestamp i64
 *   insert timestamps {@link ColumnIndex}
 *   column count i32 | {@link ColumnIndex} each | {@link KeyIndex}
 * </pre>
 *
 * @param insertTimestamps the pseudo column with the hybrid time of each insertion
 * @param columns the table's columns, in the order of the schema at the time of writing
 */
public record BaseDataFooter(
    long rowCount,
    long minInsertTimestamp,
    long maxInsertTimestamp,
    ColumnIndex insertTimestamps,
    List<ColumnIndex> columns,
    KeyIndex keys) {
  /** The id of the pseudo column; ids of table columns are never negative. */
  static final int INSERT_TIMESTAMP_ID = -2;

  static final ColumnSchema INSERT_TIMESTAMP =
      ColumnSchema.builder("insert timestamp", DataType.INT64).id(INSERT_TIMESTAMP_ID).build();

  public BaseDataFooter {
    columns = List.copyOf(columns);
  }

  byte[] toByteArray() {
    FooterWriter footer = new FooterWriter();
    footer.putLong(rowCount).putLong(minInsertTimestamp).putLong(maxInsertTimestamp);
    insertTimestamps.writeTo(footer);
    footer.putInt(columns.size());
    for (ColumnIndex column : columns) {
      column.writeTo(footer);
    }
    keys.writeTo(footer);
    return footer.toByteArray();
  }

  /** Reads the footer and checks that all columns and the key index have the same row count. */
  public static BaseDataFooter of(SealedFile file) {
    FooterReader footer = file.footer();
    long rows = footer.getLong();
    long minTimestamp = footer.getLong();
    long maxTimestamp = footer.getLong();
    ColumnIndex timestamps = readColumn(footer, rows);
    int count = footer.getCount(1);
    List<ColumnIndex> columns = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      columns.add(readColumn(footer, rows));
    }
    KeyIndex keys = KeyIndex.readFrom(footer);
    if (keys.rowCount() != rows) {
      throw footer.broken("expected keys of %d rows, found %d", rows, keys.rowCount());
    }
    footer.end();
    return new BaseDataFooter(rows, minTimestamp, maxTimestamp, timestamps, columns, keys);
  }

  static ColumnIndex readColumn(FooterReader footer, long rows) {
    ColumnIndex column = ColumnIndex.readFrom(footer);
    if (column.rowCount() != rows) {
      throw footer.broken(
          "expected %d rows of column %s, found %d", rows, column.column(), column.rowCount());
    }
    return column;
  }
}
