package dev.kudu4j.itest.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.AsyncKuduScanner.RowDataFormat;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.ReplicaSelection;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.RowResultIterator;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Scanners: the rows that they return, their order, the batches, and the end. */
abstract class ScanCases extends ClientCase {
  @Test
  void anEmptyTableHasNoRows() throws Exception {
    KuduTable table = create(keyAndValue(), twoTablets());
    assertThat(scan(table)).isEmpty();
    cluster.flush();
    assertThat(scan(table, b -> b.setProjectedColumnNames(List.of()))).isEmpty();
  }

  @Test
  void columnsAreProjectedByName() throws Exception {
    KuduTable table = createWith(new int[] {1, 10}, new int[] {2, 20});
    assertThat(scan(table, b -> b.setProjectedColumnNames(List.of("v", "k"))))
        .containsExactlyInAnyOrder("10 1", "20 2");
    assertThat(scan(table, b -> b.setProjectedColumnNames(List.of("v"))))
        .containsExactlyInAnyOrder("10", "20");
  }

  @Test
  void columnsAreProjectedByIndex() throws Exception {
    KuduTable table = createWith(new int[] {1, 10}, new int[] {2, 20});
    assertThat(scan(table, b -> b.setProjectedColumnIndexes(List.of(1, 0))))
        .containsExactlyInAnyOrder("10 1", "20 2");
    KuduScanner scanner =
        client.newScannerBuilder(table).setProjectedColumnIndexes(List.of(1)).build();
    assertThat(scanner.getProjectionSchema().getColumns())
        .extracting(ColumnSchema::getName)
        .containsExactly("v");
    scanner.close();
  }

  @Test
  void anEmptyProjectionCountsRows() throws Exception {
    KuduTable table = create(keyAndValue(), twoTablets());
    insert(table, rows(0, 1_000));
    for (RowDataFormat format : RowDataFormat.values()) {
      KuduScanner scanner =
          client.newScannerBuilder(table).setProjectedColumnNames(List.of()).build();
      scanner.setRowDataFormat(format);
      long count = 0;
      while (scanner.hasMoreRows()) {
        count += scanner.nextRows().getNumRows();
      }
      scanner.close();
      assertThat(count).as("%s", format).isEqualTo(1_000);
    }
  }

  @Test
  void unknownColumnsAreRejected() throws Exception {
    KuduTable table = createWith();
    rejected(
        () -> client.newScannerBuilder(table).setProjectedColumnNames(List.of("nope")).build(),
        "nope");
  }

  @Test
  void aLimitEndsTheScan() throws Exception {
    KuduTable table = create(keyAndValue(), twoTablets());
    insert(table, rows(0, 100));
    for (int limit : List.of(1, 7, 99, 100)) {
      assertThat(scanCount(table, limit)).isEqualTo(limit);
    }
    assertThat(scanCount(table, 1_000)).isEqualTo(100);
  }

  private int scanCount(KuduTable table, long limit) throws Exception {
    List<String> rows = drain(client.newScannerBuilder(table).limit(limit).build());
    assertThat(rows).doesNotHaveDuplicates();
    return rows.size();
  }

  @Test
  void batchesHaveAboutTheRequestedSize() throws Exception {
    KuduTable table = createWith(rows(0, 20_000));
    KuduScanner scanner = client.newScannerBuilder(table).batchSizeBytes(1).build();
    Set<Integer> seen = new HashSet<>();
    int batches = 0;
    while (scanner.hasMoreRows()) {
      batches++;
      for (RowResult row : scanner.nextRows()) {
        assertThat(seen.add(row.getInt("k"))).isTrue();
      }
    }
    assertThat(seen).hasSize(20_000);
    assertThat(batches).isGreaterThan(1);
    assertThat(scanner.getBatchSizeBytes()).isEqualTo(1);
  }

  @Test
  void keyBoundsAreLowerInclusiveAndUpperExclusive() throws Exception {
    KuduTable table = createWith(rows(0, 10));
    Schema schema = table.getSchema();
    for (int round = 0; round < 2; round++) {
      assertThat(
              scan(
                  table,
                  b -> b.lowerBound(row(schema, "k", 2)).exclusiveUpperBound(row(schema, "k", 4))))
          .containsExactlyInAnyOrder("2 2", "3 3");
      assertThat(scan(table, b -> b.lowerBound(row(schema, "k", 8)))).hasSize(2);
      assertThat(scan(table, b -> b.exclusiveUpperBound(row(schema, "k", 3)))).hasSize(3);
      assertThat(
              scan(
                  table,
                  b -> b.lowerBound(row(schema, "k", 5)).exclusiveUpperBound(row(schema, "k", 5))))
          .isEmpty();
      cluster.flush();
    }
  }

  @Test
  void keyBoundsCompareAllKeyColumns() throws Exception {
    Schema schema = schema(key("a", Type.INT32), key("b", Type.STRING));
    KuduTable table = create(schema, oneTablet());
    for (int a = 0; a < 3; a++) {
      for (String b : List.of("", "x", "y")) {
        apply(op(table.newInsert(), "a", a, "b", b));
      }
    }
    assertThat(
            scan(
                table,
                builder ->
                    builder
                        .lowerBound(row(table.getSchema(), "a", 0, "b", "y"))
                        .exclusiveUpperBound(row(table.getSchema(), "a", 2, "b", "x"))))
        .containsExactlyInAnyOrder("0 y", "1 ", "1 x", "1 y", "2 ");
  }

  private static KuduPredicate on(
      KuduTable table, String column, ComparisonOp comparison, long value) {
    return KuduPredicate.newComparisonPredicate(
        table.getSchema().getColumn(column), comparison, value);
  }

  @Test
  void predicatesAreCombinedByAnd() throws Exception {
    KuduTable table = createWith(rows(0, 100));
    for (int round = 0; round < 2; round++) {
      assertThat(
              keys(
                  table,
                  on(table, "k", ComparisonOp.GREATER_EQUAL, 10),
                  on(table, "k", ComparisonOp.LESS, 20),
                  on(table, "v", ComparisonOp.GREATER, 17)))
          .containsExactlyInAnyOrder("18", "19");
      assertThat(
              keys(
                  table,
                  on(table, "v", ComparisonOp.GREATER, 50),
                  on(table, "v", ComparisonOp.LESS, 50)))
          .isEmpty();
      assertThat(
              keys(
                  table,
                  on(table, "v", ComparisonOp.EQUAL, 5),
                  KuduPredicate.newIsNullPredicate(table.getSchema().getColumn("v"))))
          .isEmpty();
      cluster.flush();
    }
  }

  @Test
  void predicatesSeeChangesThatAreNotFlushed() throws Exception {
    KuduTable table = createWith(rows(0, 10));
    cluster.flush();
    apply(op(table.newUpdate(), "k", 3, "v", 100), op(table.newUpdate(), "k", 4, "v", null));
    assertThat(keys(table, on(table, "v", ComparisonOp.EQUAL, 3))).isEmpty();
    assertThat(keys(table, on(table, "v", ComparisonOp.EQUAL, 100))).containsExactly("3");
    assertThat(keys(table, KuduPredicate.newIsNullPredicate(table.getSchema().getColumn("v"))))
        .containsExactly("4");
  }

  @Test
  void listsMayBeEmptyAndHaveRepeatedOrAbsentValues() throws Exception {
    KuduTable table = createWith(rows(0, 50));
    ColumnSchema v = table.getSchema().getColumn("v");
    assertThat(keys(table, KuduPredicate.newInListPredicate(v, List.of()))).isEmpty();
    assertThat(keys(table, KuduPredicate.newInListPredicate(v, List.of(7, 7, 3, 99))))
        .containsExactlyInAnyOrder("3", "7");
    List<Integer> all = new ArrayList<>();
    for (int i = -100; i < 100; i++) {
      all.add(i);
    }
    assertThat(keys(table, KuduPredicate.newInListPredicate(v, all))).hasSize(50);
    assertThat(
            keys(
                table,
                KuduPredicate.newInListPredicate(v, List.of(1, 2, 3)),
                KuduPredicate.newInListPredicate(v, List.of(3, 4)),
                on(table, "v", ComparisonOp.GREATER, 0)))
        .containsExactly("3");
  }

  @Test
  void valuesBeyondTheTypeAreRejectedOrTrivial() throws Exception {
    KuduTable table = create(schema(key("k", Type.INT8), nullable("v", Type.INT32)), oneTablet());
    apply(op(table.newInsert(), "k", (byte) 127, "v", Integer.MAX_VALUE));
    assertThat(keys(table, on(table, "k", ComparisonOp.GREATER, 127))).isEmpty();
    assertThat(keys(table, on(table, "k", ComparisonOp.LESS_EQUAL, 127))).containsExactly("127");
    rejected(() -> on(table, "k", ComparisonOp.LESS, 128), "128");
    rejected(
        () ->
            KuduPredicate.newComparisonPredicate(
                table.getSchema().getColumn("k"), ComparisonOp.EQUAL, "text"),
        "int8");
  }

  @Test
  void predicatesCanBeSerialized() throws Exception {
    KuduTable table = createWith(rows(0, 10));
    List<KuduPredicate> predicates =
        List.of(
            on(table, "k", ComparisonOp.GREATER_EQUAL, 3), on(table, "v", ComparisonOp.LESS, 5));
    List<KuduPredicate> again =
        KuduPredicate.deserialize(table.getSchema(), KuduPredicate.serialize(predicates));
    assertThat(again).containsExactlyInAnyOrderElementsOf(predicates);
    assertThat(keys(table, again.toArray(new KuduPredicate[0])))
        .containsExactlyInAnyOrder("3", "4");
  }

  @Test
  void aScannerReportsItsEnd() throws Exception {
    KuduTable table = createWith(rows(0, 3));
    KuduScanner scanner = client.newScannerBuilder(table).build();
    assertThat(scanner.isClosed()).isFalse();
    assertThat(scanner.hasMoreRows()).isTrue();
    int rows = 0;
    while (scanner.hasMoreRows()) {
      rows += scanner.nextRows().getNumRows();
    }
    assertThat(rows).isEqualTo(3);
    assertThat(scanner.hasMoreRows()).isFalse();
    assertThat(scanner.isClosed()).isTrue();
    scanner.close();
  }

  @Test
  void aScannerMayBeClosedEarlyAndAgain() throws Exception {
    KuduTable table = createWith(rows(0, 20_000));
    KuduScanner unopened = client.newScannerBuilder(table).build();
    unopened.close();
    KuduScanner scanner = client.newScannerBuilder(table).batchSizeBytes(1).build();
    assertThat(scanner.nextRows().getNumRows()).isBetween(0, 19_999);
    scanner.close();
    scanner.close();
    assertThat(scanner.isClosed()).isTrue();
    assertThat(scan(table)).hasSize(20_000);
  }

  @Test
  void aScannerIsKeptAlive() throws Exception {
    KuduTable table = createWith(rows(0, 20_000));
    KuduScanner scanner = client.newScannerBuilder(table).batchSizeBytes(1).build();
    int rows = scanner.nextRows().getNumRows();
    scanner.keepAlive();
    assertThat(scanner.hasMoreRows()).isTrue();
    while (scanner.hasMoreRows()) {
      rows += scanner.nextRows().getNumRows();
      if (!scanner.isClosed()) {
        scanner.keepAlive();
      }
    }
    assertThat(rows).isEqualTo(20_000);
    assertThatThrownBy(scanner::keepAlive).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aScannerIsIterable() throws Exception {
    KuduTable table = create(keyAndValue(), twoTablets());
    insert(table, rows(0, 10));
    KuduScanner scanner = client.newScannerBuilder(table).build();
    Set<Integer> seen = new HashSet<>();
    for (RowResult row : scanner) {
      seen.add(row.getInt(0));
    }
    assertThat(seen).hasSize(10);
  }

  @Test
  void rowsMayBeReused() throws Exception {
    KuduTable table = createWith(rows(0, 100));
    KuduScanner scanner = client.newScannerBuilder(table).build();
    scanner.setReuseRowResult(true);
    int sum = 0;
    Set<Integer> identities = new HashSet<>();
    while (scanner.hasMoreRows()) {
      RowResultIterator rows = scanner.nextRows();
      for (RowResult row : rows) {
        sum += row.getInt("v");
        identities.add(System.identityHashCode(row));
      }
    }
    assertThat(sum).isEqualTo(4950);
    assertThat(identities.size()).isLessThan(100);
  }

  @Test
  void aScannerReturnsItsSettings() throws Exception {
    KuduTable table = createWith();
    KuduScanner scanner =
        client
            .newScannerBuilder(table)
            .cacheBlocks(false)
            .limit(5)
            .batchSizeBytes(4096)
            .readMode(ReadMode.READ_YOUR_WRITES)
            .scanRequestTimeout(7_000)
            .build();
    assertThat(scanner.getCacheBlocks()).isFalse();
    assertThat(scanner.getLimit()).isEqualTo(5);
    assertThat(scanner.getBatchSizeBytes()).isEqualTo(4096);
    assertThat(scanner.getReadMode()).isEqualTo(ReadMode.READ_YOUR_WRITES);
    assertThat(scanner.getScanRequestTimeout()).isEqualTo(7_000);
    scanner.close();
    KuduScanner plain = client.newScannerBuilder(table).build();
    assertThat(plain.getReadMode()).isEqualTo(ReadMode.READ_LATEST);
    assertThat(plain.getCacheBlocks()).isTrue();
    plain.close();
  }

  @Test
  void faultTolerantScansAreInKeyOrder() throws Exception {
    KuduTable table = createWith(new int[] {5, 5}, new int[] {1, 1}, new int[] {3, 3});
    cluster.flush();
    insert(table, new int[] {4, 4}, new int[] {2, 2});
    assertThat(scan(table, b -> b.setFaultTolerant(true).batchSizeBytes(1)))
        .containsExactly("1 1", "2 2", "3 3", "4 4", "5 5");
  }

  @Test
  void anyReplicaMayServeAScan() throws Exception {
    KuduTable table = create(keyAndValue(), twoTablets());
    insert(table, rows(0, 10));
    for (ReplicaSelection selection : ReplicaSelection.values()) {
      assertThat(
              scan(table, b -> b.replicaSelection(selection).readMode(ReadMode.READ_YOUR_WRITES)))
          .hasSize(10);
    }
  }

  @Test
  void blocksNeedNotBeCachedNorPrefetched() throws Exception {
    KuduTable table = createWith(rows(0, 1_000));
    cluster.flush();
    assertThat(scan(table, b -> b.cacheBlocks(false))).hasSize(1_000);
    assertThat(scan(table, b -> b.prefetching(true).batchSizeBytes(100))).hasSize(1_000);
  }

  @Test
  void deletedRowsAreNotSeen() throws Exception {
    KuduTable table = createWith(rows(0, 10));
    cluster.flush();
    Operation[] deletes = new Operation[9];
    for (int k = 0; k < 9; k++) {
      deletes[k] = op(table.newDelete(), "k", k);
    }
    apply(deletes);
    assertThat(scan(table)).containsExactly("9 9");
    cluster.flush();
    assertThat(scan(table)).containsExactly("9 9");
  }

  @Test
  void wideRowsWithLargeCellsAreReadCompletely() throws Exception {
    List<ColumnSchema> columns = new ArrayList<>(List.of(key("k", Type.INT32)));
    for (int i = 1; i < 300; i++) {
      columns.add(
          column("c" + i, i % 2 == 0 ? Type.STRING : Type.INT64).nullable(i % 3 == 0).build());
    }
    KuduTable table = create(new Schema(columns), twoTablets());
    Operation[] inserts = new Operation[10];
    for (int k = 0; k < inserts.length; k++) {
      inserts[k] = op(table.newInsert(), "k", k);
      for (int i = 1; i < 300; i++) {
        if (i % 2 == 0) {
          inserts[k].getRow().addString(i, "x".repeat(i == 2 ? 65_536 : 1_000));
        } else {
          inserts[k].getRow().addLong(i, (long) i * k);
        }
      }
    }
    assertThat(apply(inserts)).filteredOn("ok"::equals).hasSize(10);
    for (int round = 0; round < 2; round++) {
      assertThat(scan(table).stream().map(String::length))
          .hasSize(10)
          .allMatch(length -> length > 65_536 + 148 * 1_000);
      cluster.flush();
    }
  }

  @Test
  void scansReportTheirResourceMetrics() throws Exception {
    KuduTable table = createWith(rows(0, 100));
    KuduScanner scanner = client.newScannerBuilder(table).build();
    while (scanner.hasMoreRows()) {
      scanner.nextRows();
    }
    assertThat(scanner.getResourceMetrics().get()).containsKey("total_duration_nanos");
    assertThat(scanner.getResourceMetrics().getMetric("total_duration_nanos")).isPositive();
  }
}
