package dev.kudu4j.tablet.scan;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** All versions of all rows by key: slow, obviously right. */
final class RowModel {
  /** The cells of a row from a timestamp on, by column id; null if the row is deleted. */
  record Version(long timestamp, byte[][] cells) {}

  private final NavigableMap<byte[], List<Version>> rows = new TreeMap<>(Arrays::compareUnsigned);

  NavigableMap<byte[], List<Version>> rows() {
    return rows;
  }

  void put(byte[] key, long timestamp, byte[][] cells) {
    rows.computeIfAbsent(key, k -> new ArrayList<>()).add(new Version(timestamp, cells));
  }

  /** The newest cells of the key, or null. */
  byte[][] latest(byte[] key) {
    return at(rows.getOrDefault(key, List.of()), Long.MAX_VALUE);
  }

  /** The cells at a snapshot; null if the row does not exist. */
  static byte[][] at(List<Version> versions, long snapshot) {
    byte[][] cells = null;
    for (Version version : versions) {
      if (version.timestamp() < snapshot) {
        cells = version.cells();
      }
    }
    return cells;
  }

  static boolean changedIn(List<Version> versions, long from, long to) {
    return versions.stream().anyMatch(v -> v.timestamp() >= from && v.timestamp() < to);
  }

  /** A cell by column id; the read default if the version did not have the column. */
  static byte[] cell(byte[][] cells, Schema schema, int id) {
    ColumnSchema column = schema.column(schema.indexOfId(id));
    return id < cells.length ? cells[id] : column.readDefault();
  }
}
