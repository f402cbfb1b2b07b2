package dev.kudu4j.itest.index;

import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduIndex;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.ReplicaSelection;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.RowResultIterator;
import dev.kudu4j.itest.workload.Findings;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Reads the tables of global indexes of orders, and compares them with the rows that there were.
 */
final class GlobalIndexReads {
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(3);

  /**
   * An index.
   *
   * @param columns those that are compared
   * @param has whether the row of an order is in the index
   */
  record Index(KuduIndex definition, List<String> columns, Predicate<Order> has) {
    String name() {
      return definition.getName();
    }
  }

  static final List<Index> INDEXES =
      List.of(
          new Index(
              KuduIndex.global("g_customer", "customer").including("price").hashedBy(3),
              List.of("customer", "id", "price"),
              order -> true),
          new Index(
              KuduIndex.global("g_status", "status", "price")
                  .including("customer", "weight", "day")
                  .hashedBy(2, "status"),
              OrderTable.COLUMNS,
              order -> order.status() != null && order.price() != null));

  private final KuduClient client;
  private final Findings findings;
  private long count;
  private long rows;
  private long before;

  GlobalIndexReads(KuduClient client, Findings findings) {
    this.client = client;
    this.findings = findings;
  }

  boolean isGlobal(String index) {
    return INDEXES.stream().anyMatch(one -> one.name().equals(index));
  }

  boolean exists(Index index) throws KuduException {
    return client.openTable(OrderTable.NAME).getIndexes().stream()
        .anyMatch(one -> one.getName().equals(index.name()));
  }

  /** The number of indexes that were compared at a snapshot. */
  long count() {
    return count;
  }

  String summary() {
    return String.format(
        "%d indexes compared, %d rows; %d snapshots were before the index", count, rows, before);
  }

  /** Compares all indexes with the rows of a snapshot. */
  void compareAt(OrderWriters.Moment moment) {
    for (Index index : INDEXES) {
      Set<String> expected =
          moment.rows().stream()
              .filter(index.has())
              .map(order -> order.text(index.columns()))
              .collect(Collectors.toCollection(TreeSet::new));
      Set<String> found = read(index, moment.timestamp());
      if (found == null) {
        before++;
        continue;
      }
      count++;
      rows += found.size();
      if (!found.equals(expected)) {
        findings.add(
            "index %s at %d: additional rows %s, missing rows %s",
            index.name(), moment.timestamp(), without(found, expected), without(expected, found));
      }
    }
  }

  private static List<String> without(Set<String> rows, Set<String> others) {
    List<String> left = new ArrayList<>(rows);
    left.removeAll(others);
    return left.subList(0, Math.min(left.size(), 20));
  }

  /** The rows of an index; null if it was created after the snapshot. */
  private Set<String> read(Index index, long snapshot) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      try {
        return scan(index, snapshot);
      } catch (KuduException e) {
        if (e.getMessage().contains("has no rows of snapshots before")) {
          return null;
        }
        if (System.nanoTime() - end > 0) {
          findings.add("index %s at %d cannot be read: %s", index.name(), snapshot, e);
          return null;
        }
      }
    }
  }

  private Set<String> scan(Index index, long snapshot) throws KuduException {
    KuduScanner scanner =
        client
            .newScannerBuilder(client.openTable(OrderTable.NAME + "@" + index.name()))
            .readMode(ReadMode.READ_AT_SNAPSHOT)
            .snapshotTimestampRaw(snapshot)
            .setProjectedColumnNames(index.columns())
            .replicaSelection(
                count % 2 == 0 ? ReplicaSelection.LEADER_ONLY : ReplicaSelection.CLOSEST_REPLICA)
            .scanRequestTimeout(30_000)
            .build();
    Set<String> found = new TreeSet<>();
    while (scanner.hasMoreRows()) {
      RowResultIterator batch = scanner.nextRows();
      for (RowResult row : batch) {
        if (!found.add(OrderTable.text(row))) {
          findings.add("index %s has a row twice: %s", index.name(), OrderTable.text(row));
        }
      }
    }
    return found;
  }
}
