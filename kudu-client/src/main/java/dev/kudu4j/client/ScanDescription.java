package dev.kudu4j.client;

import dev.kudu4j.Schema;
import dev.kudu4j.client.stream.KeySearch;
import dev.kudu4j.client.stream.PreparedScan;
import java.util.List;
import java.util.Optional;

/**
 * The scan that a builder describes. Later calls of the builder do not change it.
 *
 * @param projection the columns that the user sees; the scan may read further columns after them
 * @param offset how many of the first rows in an order are not returned
 * @param mayUseIndex whether an index may be read instead of the table
 * @param union scans of several indexes that together have the rows; empty if there are none
 * @param lookBack finds the keys of the rows in an index
 */
record ScanDescription(
    KuduTable table,
    Schema projection,
    AsyncKuduScanner.ReadMode readMode,
    boolean inKeyOrder,
    int offset,
    boolean mayUseIndex,
    PreparedScan scan,
    List<PreparedScan> union,
    Optional<KeySearch> lookBack) {
  /** This scan, of an index instead of the table if that is better. */
  ScanDescription withIndex() {
    GlobalIndexes indexes = table.globalIndexes();
    PreparedScan chosen = mayUseIndex && !inKeyOrder ? indexes.choose(scan) : indexes.ofTable(scan);
    return with(chosen, List.of(), Optional.empty());
  }

  /**
   * Like {@link #withIndex}. If no index has all rows, several may have them. If none has all
   * columns, one may find the keys of the rows, which are then looked up.
   */
  ScanDescription withIndexes() {
    ScanDescription chosen = withIndex();
    if (!mayUseIndex || inKeyOrder || chosen.scan.instead() != null) {
      return chosen;
    }
    List<PreparedScan> several = table.globalIndexes().chooseUnion(scan);
    return with(
        chosen.scan,
        several,
        several.isEmpty() ? table.globalIndexes().findKeys(scan) : Optional.empty());
  }

  private ScanDescription with(
      PreparedScan chosen, List<PreparedScan> several, Optional<KeySearch> keys) {
    return new ScanDescription(
        table, projection, readMode, inKeyOrder, offset, mayUseIndex, chosen, several, keys);
  }

  /** The names of the indexes that are read, also if they find only the keys of the rows. */
  Optional<String> indexNames() {
    return indexesWithRows()
        .or(() -> lookBack.filter(search -> !search.hasFailed()).map(keys -> keys.index().name()));
  }

  /** The names of the indexes that are read instead of the table. */
  Optional<String> indexesWithRows() {
    List<String> names =
        union.stream().flatMap(one -> one.index().stream()).distinct().sorted().toList();
    return names.isEmpty() ? scan.index() : Optional.of(String.join(", ", names));
  }

  /** Whether the result is the first rows in an order. */
  boolean isOrdered() {
    return scan.query().top() != null;
  }
}
