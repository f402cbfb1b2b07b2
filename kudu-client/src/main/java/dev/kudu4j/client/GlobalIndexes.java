package dev.kudu4j.client;

import dev.kudu4j.client.index.IndexChoice;
import dev.kudu4j.client.index.IndexSource;
import dev.kudu4j.client.index.UnionChoice;
import dev.kudu4j.client.scan.ScanQuery;
import dev.kudu4j.client.stream.IndexedScan;
import dev.kudu4j.client.stream.KeySearch;
import dev.kudu4j.client.stream.LookBackRows;
import dev.kudu4j.client.stream.PreparedScan;
import dev.kudu4j.client.stream.SnapshotProbe;
import dev.kudu4j.common.partition.HashDimension;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * The global indexes of an opened table that scans can read instead of the table. Which of them are
 * ready is asked when the table is opened, and again, in the background, while scans find that one
 * is not. Thread-safe.
 */
final class GlobalIndexes {
  /** From so many hash buckets on, asking each of them takes longer than a look-up of keys. */
  private static final int MANY_TABLETS = 16;

  private static final long ASK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long an index that could not be read is not tried. */
  private static final long FAILURE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final AsyncKuduClient client;
  private final String table;
  private final List<String> names;
  private final Set<String> localColumns; // first ones of local indexes
  private final AtomicLong askAgainNanos = new AtomicLong(System.nanoTime());
  private volatile List<IndexSource> ready = List.of();

  GlobalIndexes(AsyncKuduClient client, KuduTable table) {
    this.client = client;
    this.table = table.getName();
    this.names =
        table.getIndexes().stream().filter(KuduIndex::isGlobal).map(KuduIndex::getName).toList();
    this.localColumns =
        table.getIndexes().stream()
            .filter(index -> !index.isGlobal())
            .map(index -> index.getColumns().get(0))
            .collect(Collectors.toSet());
  }

  /** The name of the table of an index. */
  static String tableName(String table, String index) {
    return table + "@" + index;
  }

  /** Asks which indexes are ready. Never fails. */
  CompletableFuture<Void> load() {
    if (names.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    askAgainNanos.set(System.nanoTime() + ASK_AGAIN_NANOS);
    return client
        .openIndexes(table)
        .handle(
            (found, failure) -> {
              ready = failure == null ? found : List.of(); // then scans read the table
              return null;
            });
  }

  /** The scan of an index, if there is one that is better than the table; else the scan itself. */
  PreparedScan choose(PreparedScan scan) {
    if (names.isEmpty()) {
      return scan;
    }
    PreparedScan ofTable = ofTable(scan);
    return Optional.of(scan.query())
        .filter(IndexChoice::canUseIndex)
        .flatMap(query -> IndexChoice.of(query, usable()))
        .map(choice -> ofIndex(choice, scan, ofTable))
        .orElse(ofTable);
  }

  private PreparedScan ofIndex(IndexChoice.Choice choice, PreparedScan scan, PreparedScan ofTable) {
    return new PreparedScan(
        scan.cluster(),
        choice.index().tablets(),
        choice.query(),
        scan.prefetchFirst(),
        scan.keepAlivePeriodMillis(),
        scan.reports(),
        new IndexedScan(
            choice.index(), scan.tablets(), ofTable.query(), () -> failed(choice.index().name())));
  }

  /** The scans of several indexes that together have the rows of an OR; empty if there are none. */
  List<PreparedScan> chooseUnion(PreparedScan scan) {
    if (names.isEmpty() || !IndexChoice.canUseIndex(scan.query())) {
      return List.of();
    }
    PreparedScan ofTable = ofTable(scan);
    return UnionChoice.of(scan.query(), usable()).stream()
        .map(choice -> ofIndex(choice, scan, ofTable))
        .toList();
  }

  /** The scan of an index that finds the keys of the rows; empty to read the table. */
  Optional<KeySearch> findKeys(PreparedScan scan) {
    if (names.isEmpty() || hasLocalIndex(scan.query())) {
      return Optional.empty();
    }
    return Optional.of(scan.query())
        .filter(IndexChoice::canLookBack)
        .flatMap(
            query ->
                IndexChoice.ofKeys(
                    query, usable(), LookBackRows.MAX_KEYS + 1L, IndexedScan.WAIT_MILLIS))
        .map(
            choice ->
                new KeySearch(choice.index(), choice.query(), () -> failed(choice.index().name())));
  }

  /** Whether servers of few tablets find the rows as fast by an index of their own. */
  private boolean hasLocalIndex(ScanQuery query) {
    int buckets =
        query.partitions().hashDimensions().stream()
            .mapToInt(HashDimension::bucketCount)
            .reduce(1, (one, other) -> one * other);
    return buckets < MANY_TABLETS
        && query.predicates().stream()
            .anyMatch(predicate -> localColumns.contains(predicate.column().name()));
  }

  /** The scan of the table, whose servers do not know the global indexes of a hint. */
  PreparedScan ofTable(PreparedScan scan) {
    ScanQuery own = scan.query().withoutIndexes(names);
    return own.equals(scan.query())
        ? scan
        : new PreparedScan(
            scan.cluster(),
            scan.tablets(),
            own,
            scan.prefetchFirst(),
            scan.keepAlivePeriodMillis(),
            scan.reports());
  }

  /**
   * Like {@link #choose}, for a scan whose pieces are read independently. A piece of an index
   * cannot be read from the table instead, so the tablets of the index are asked whether they have
   * the snapshot. All pieces read one: a row can change its place in the index, and would be in two
   * pieces, or in none, at different ones. Never fails.
   */
  CompletableFuture<PreparedScan> chooseForPieces(PreparedScan scan) {
    return SnapshotProbe.indexOrTable(choose(scan));
  }

  private List<IndexSource> usable() {
    if (ready.size() < names.size()) {
      loadIfDue(System.nanoTime());
    }
    return ready;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // never fails; later scans see the result
  private void loadIfDue(long now) {
    long due = askAgainNanos.get();
    if (due - now <= 0 && askAgainNanos.compareAndSet(due, now + ASK_AGAIN_NANOS)) {
      load();
    }
  }

  /** An index could not be read: it lags, or has been dropped or built again. */
  private synchronized void failed(String index) {
    ready = ready.stream().filter(one -> !one.name().equals(index)).toList();
    askAgainNanos.set(System.nanoTime() + FAILURE_NANOS);
  }
}
