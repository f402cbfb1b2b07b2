package dev.kudu4j.tools.fs;

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
  static final List<String> TITLES =
      List.of("tablet", "table", "file", "kind", "format", "rows", "bytes");

  List<String> texts() {
    return List.of(
        tablet,
        table,
        file,
        kind,
        format,
        rows < 0 ? "" : Long.toString(rows),
        Long.toString(bytes));
  }
}
