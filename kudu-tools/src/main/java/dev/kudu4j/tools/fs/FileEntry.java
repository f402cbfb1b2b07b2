package dev.kudu4j.tools.fs;

import dev.kudu4j.tools.console.ListColumn;
import java.util.Arrays;
import java.util.List;

/**
 * One file of a server.
 *
 * @param tablet id of the tablet; for a Raft log, the id of its group
 * @param table name of the table, or empty
 * @param rowSet id of the rowset of the file; -1 for none
 * @param file name of the file in its directory
 * @param kind kind of file such as {@code base data}; {@code garbage} if no superblock refers to it
 * @param format version of the file's format as text; {@code broken} if it cannot be read
 * @param rows number of rows of base data or rewritten columns, of changes in a delta file, or of
 *     live rows of a tablet; -1 if not applicable
 */
record FileEntry(
    String tablet,
    String table,
    long rowSet,
    String file,
    String kind,
    String format,
    long rows,
    long bytes) {
  /** A value that does not apply or is not known. */
  static final long NONE = -1;

  static final List<ListColumn> COLUMNS =
      List.of(
          ListColumn.text("tablet"),
          ListColumn.text("table"),
          ListColumn.number("rowset"),
          ListColumn.text("file"),
          ListColumn.text("kind"),
          ListColumn.text("format"),
          ListColumn.number("rows"),
          ListColumn.number("bytes"));

  List<Object> cells() {
    return Arrays.asList(
        tablet, table, numberOrNull(rowSet), file, kind, format, numberOrNull(rows), bytes);
  }

  private static Long numberOrNull(long number) {
    return number == NONE ? null : (Long) number;
  }
}
