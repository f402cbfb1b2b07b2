package dev.kudu4j.client;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.index.HashedScan;
import dev.kudu4j.client.index.RowSums;
import dev.kudu4j.client.index.TableHashing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/**
 * Compares the table of an index with the indexed table, at one snapshot.
 *
 * <p>First the servers add up the hashes of the rows of both, in buckets by the primary key. So no
 * rows travel unless sums differ. Then this client reads the rows of the buckets that differ, and
 * finds the differences. If there are many, it reads only some of these buckets.
 */
final class IndexComparison {
  private static final int TABLETS_AT_A_TIME = 8;
  private static final int MAX_LISTED = 100;

  /** Rows of the table that are read for exact counts, when the list is already full. */
  private static final long MAX_COUNTED_ROWS = 1_000_000;

  /** Rows of the table that are in memory at a time. */
  private static final long ROWS_OF_A_PART = 100_000;

  /** Ranges of buckets that one scan reads. */
  private static final int MAX_RANGES = 32;

  private final AsyncKuduClient client;
  private final String index;
  private final Side table;
  private final Side indexTable;
  private final long snapshot;

  /**
   * One of the tables.
   *
   * @param columns the primary key of the indexed table, then the other columns of the index
   * @param notNull rows with NULL in one of these columns are not in the index
   */
  private record Side(
      KuduTable table, List<ColumnSchema> columns, int keyColumns, List<ColumnSchema> notNull) {
    HashedScan at(long snapshot) {
      return new HashedScan(
          columns.stream().map(ColumnSchema::toCommon).toList(),
          keyColumns,
          notNull.stream().map(ColumnSchema::toCommon).toList(),
          snapshot);
    }
  }

  private IndexComparison(
      AsyncKuduClient client, String index, Side table, Side indexTable, long snapshot) {
    this.client = client;
    this.index = index;
    this.table = table;
    this.indexTable = indexTable;
    this.snapshot = snapshot;
  }

  /**
   * Compares two tables, of which the second has columns of the first: its primary key consists of
   * indexed columns and of the primary key of the first.
   *
   * @param index name, for the result
   * @param snapshotTimestamp {@link AsyncKuduClient#NO_TIMESTAMP} for a current one
   */
  static KuduIndexComparison of(
      AsyncKuduClient client,
      String index,
      KuduTable table,
      KuduTable indexTable,
      long snapshotTimestamp)
      throws KuduException {
    Schema base = table.getSchema();
    Set<String> names = new HashSet<>();
    List<ColumnSchema> tableColumns = new ArrayList<>(base.getPrimaryKeyColumns());
    tableColumns.forEach(column -> names.add(column.getName()));
    for (ColumnSchema column : indexTable.getSchema().getColumns()) {
      if (names.add(column.getName())) {
        tableColumns.add(column(table, column.getName()));
      }
    }
    List<ColumnSchema> indexColumns = new ArrayList<>();
    for (ColumnSchema column : tableColumns) {
      indexColumns.add(column(indexTable, column.getName()));
    }
    List<ColumnSchema> notNull = new ArrayList<>();
    for (ColumnSchema key : indexTable.getSchema().getPrimaryKeyColumns()) {
      ColumnSchema column = column(table, key.getName());
      if (column.isNullable()) {
        notNull.add(column);
      }
    }
    int keyColumns = base.getPrimaryKeyColumnCount();
    long snapshot =
        snapshotTimestamp == AsyncKuduClient.NO_TIMESTAMP
            ? FreshSnapshot.oldest(client, Duration.ZERO, List.of(table))
            : snapshotTimestamp;
    return new IndexComparison(
            client,
            index,
            new Side(table, tableColumns, keyColumns, notNull),
            new Side(indexTable, indexColumns, keyColumns, List.of()),
            snapshot)
        .run();
  }

  private static ColumnSchema column(KuduTable table, String name) throws KuduException {
    if (!table.getSchema().hasColumn(name)) {
      throw KuduException.of(
          dev.kudu4j.common.status.KuduException.serviceUnavailable(
              "Table %s has no column %s: the table or its index is being altered; try again",
              table.getName(), name));
    }
    return table.getSchema().getColumn(name);
  }

  private KuduIndexComparison run() throws KuduException {
    RowSums tableSums = new RowSums();
    RowSums indexSums = new RowSums();
    KuduClient.join(
        AsyncKuduClient.edge(
            table
                .table()
                .allTablets()
                .thenCombine(
                    indexTable.table().allTablets(),
                    (tablets, indexTablets) -> hash(tablets, tableSums, indexTablets, indexSums))
                .thenCompose(done -> done)));
    BitSet differing = tableSums.differing(indexSums);
    RowDifferences found = new RowDifferences(MAX_LISTED);
    boolean all = findDifferences(differing, tableSums.rows(), found);
    return new KuduIndexComparison(
        index,
        snapshot,
        tableSums.rows(),
        indexSums.rows(),
        differing.cardinality(),
        found.count(),
        all,
        found.listed());
  }

  private CompletableFuture<Void> hash(
      List<RemoteTablet> tablets,
      RowSums tableSums,
      List<RemoteTablet> indexTablets,
      RowSums indexSums) {
    TableHashing hashing = new TableHashing(client.cluster());
    hashing.add(tablets, table.at(snapshot), tableSums);
    hashing.add(indexTablets, indexTable.at(snapshot), indexSums);
    return hashing.run(TABLETS_AT_A_TIME);
  }

  /**
   * Reads the rows of the buckets that differ.
   *
   * @return whether all of them were read
   */
  private boolean findDifferences(BitSet differing, long tableRows, RowDifferences found)
      throws KuduException {
    long rowsOfABucket = 1 + tableRows / RowSums.BUCKETS;
    int maxBuckets = (int) Math.max(1, Math.min(RowSums.BUCKETS, ROWS_OF_A_PART / rowsOfABucket));
    long read = 0;
    int next = differing.nextSetBit(0);
    while (next >= 0) {
      if (found.isListFull() && read > MAX_COUNTED_ROWS) {
        return false;
      }
      BitSet part = part(differing, next, maxBuckets);
      read(table, part, found::addTableRow);
      read(indexTable, part, found::addIndexRow);
      found.endPart();
      read += rowsOfABucket * part.cardinality();
      next = differing.nextSetBit(part.length());
    }
    return true;
  }

  /** The first buckets, from one on, that are not too many, and in few ranges. */
  private static BitSet part(BitSet differing, int from, int maxBuckets) {
    BitSet part = new BitSet();
    int bucket = from;
    for (int ranges = 0; ranges < MAX_RANGES && bucket >= 0; ranges++) {
      int end = Math.min(differing.nextClearBit(bucket), bucket + maxBuckets - part.cardinality());
      part.set(bucket, end);
      if (part.cardinality() == maxBuckets) {
        break;
      }
      bucket = differing.nextSetBit(end);
    }
    return part;
  }

  /** Reads the rows of some buckets. */
  private void read(Side side, BitSet buckets, BiConsumer<String, String> rows)
      throws KuduException {
    KuduScanner.KuduScannerBuilder builder =
        client
            .syncClient()
            .newScannerBuilder(side.table())
            .setProjectedColumnNames(side.columns().stream().map(ColumnSchema::getName).toList())
            .readMode(ReadMode.READ_AT_SNAPSHOT)
            .snapshotTimestampRaw(snapshot)
            .cacheBlocks(false)
            .indexHint(KuduIndexHint.forbid())
            .addCondition(condition(side, buckets));
    side.notNull()
        .forEach(column -> builder.addPredicate(KuduPredicate.newIsNotNullPredicate(column)));
    KuduScanner scanner = builder.build();
    while (scanner.hasMoreRows()) {
      for (RowResult row : scanner.nextRows()) {
        rows.accept(
            row.text(0, side.keyColumns()), row.text(side.keyColumns(), side.columns().size()));
      }
    }
  }

  private static KuduCondition condition(Side side, BitSet buckets) {
    List<ColumnSchema> key = side.columns().subList(0, side.keyColumns());
    List<KuduCondition> ranges = new ArrayList<>();
    for (int from = buckets.nextSetBit(0); from >= 0; ) {
      int end = buckets.nextClearBit(from);
      ranges.add(
          KuduCondition.sample(
              key, from / (double) RowSums.BUCKETS, end / (double) RowSums.BUCKETS, 0));
      from = buckets.nextSetBit(end);
    }
    return ranges.size() == 1
        ? ranges.get(0)
        : KuduCondition.or(ranges.toArray(KuduCondition[]::new));
  }
}
