package dev.kudu4j.tools.fs;

import dev.kudu4j.tools.console.ListColumn;
import java.util.Arrays;
import java.util.List;

/**
 * One file of a server.
 *
 * @param tablet id; for a Raft log, the group's
 * @param table name, or empty
 * @param file name in its directory
 * @param kind such as {@code base data}; {@code garbage} is what no superblock names
 * @param format version, as text; {@code broken} when it cannot be read
 * @param rows rows of base data, changes of a delta file, live rows of a tablet; -1 for none
 */
record FileEntry(
    String tablet, String table, String file, String kind, String format, long rows, long bytes) {
  static final List<ListColumn> COLUMNS =
      List.of(
          ListColumn.text("tablet"),
          ListColumn.text("table"),
          ListColumn.text("file"),
          ListColumn.text("kind"),
          ListColumn.text("format"),
          ListColumn.number("rows"),
          ListColumn.number("bytes"));

  List<Object> cells() {
    return Arrays.asList(tablet, table, file, kind, format, rows < 0 ? null : rows, bytes);
  }
}
