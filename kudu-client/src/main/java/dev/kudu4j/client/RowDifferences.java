package dev.kudu4j.client;

import dev.kudu4j.client.KuduIndexComparison.Difference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compares rows of a table with those of its index, a part of the rows after the other. In each
 * part, the rows of the table come first, each with a key of its own. The index may have several
 * rows with the same primary key of the table, of which one at most is right. Not thread-safe.
 */
final class RowDifferences {
  private final int maxListed;
  private final List<Difference> listed = new ArrayList<>();
  private long count;

  // The rows of the part that have not matched, by their keys.
  private final Map<String, String> table = new LinkedHashMap<>();
  private final Map<String, List<String>> index = new LinkedHashMap<>();

  /**
   * @param maxListed the differences that are kept; others are only counted
   */
  RowDifferences(int maxListed) {
    this.maxListed = maxListed;
  }

  void addTableRow(String key, String cells) {
    table.put(key, cells);
  }

  void addIndexRow(String key, String cells) {
    if (!table.remove(key, cells)) {
      index.computeIfAbsent(key, none -> new ArrayList<>()).add(cells);
    }
  }

  /** Ends a part: what has not matched is different. */
  void endPart() {
    index.forEach(
        (key, rows) -> {
          for (String cells : rows) {
            add(new Difference(key, Optional.ofNullable(table.remove(key)), Optional.of(cells)));
          }
        });
    table.forEach((key, cells) -> add(new Difference(key, Optional.of(cells), Optional.empty())));
    index.clear();
    table.clear();
  }

  private void add(Difference difference) {
    count++;
    if (listed.size() < maxListed) {
      listed.add(difference);
    }
  }

  long count() {
    return count;
  }

  /** The first differences. */
  List<Difference> listed() {
    return listed;
  }

  boolean isListFull() {
    return listed.size() == maxListed;
  }
}
