package dev.kudu4j.itest.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.AsyncKuduScanner.RowDataFormat;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduTable;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Scan tokens: parts of a scan that other processes read. */
abstract class TokenCases extends ClientCase {
  private KuduTable createSpread(int rowCount) throws Exception {
    KuduTable table = create(keyAndValue(), options().addHashPartitions(List.of("k"), 3));
    insert(table, rows(0, rowCount));
    return table;
  }

  private List<String> readAll(List<KuduScanToken> tokens) throws Exception {
    List<String> rows = new ArrayList<>();
    for (KuduScanToken token : tokens) {
      rows.addAll(drain(KuduScanToken.deserializeIntoScanner(token.serialize(), client)));
    }
    return rows;
  }

  @Test
  void aScanHasATokenForEachTablet() throws Exception {
    KuduTable table = createSpread(100);
    List<KuduScanToken> tokens = client.newScanTokenBuilder(table).build();
    assertThat(tokens).hasSize(3);
    List<String> rows = new ArrayList<>();
    for (KuduScanToken token : tokens) {
      assertThat(token.getTablet().getReplicas()).hasSize(cluster.replicaCount());
      rows.addAll(drain(token.intoScanner(client)));
    }
    assertThat(rows).hasSize(100).doesNotHaveDuplicates();
  }

  @Test
  void tokensAreSerializable() throws Exception {
    KuduTable table = createSpread(100);
    List<String> rows = new ArrayList<>();
    try (KuduClient other = new KuduClient.KuduClientBuilder(cluster.masters()).build()) {
      for (KuduScanToken token : client.newScanTokenBuilder(table).build()) {
        rows.addAll(drain(KuduScanToken.deserializeIntoScanner(token.serialize(), other)));
      }
    }
    assertThat(rows).hasSize(100).doesNotHaveDuplicates();
  }

  @Test
  void tokensContainTheWholeScan() throws Exception {
    KuduTable table = createSpread(100);
    long before = client.getLastPropagatedTimestamp() + 1;
    apply(op(table.newUpdate(), "k", 60, "v", -1));
    List<KuduScanToken> tokens =
        client
            .newScanTokenBuilder(table)
            .setProjectedColumnNames(List.of("v"))
            .addPredicate(
                KuduPredicate.newComparisonPredicate(
                    table.getSchema().getColumn("v"), ComparisonOp.GREATER_EQUAL, 58L))
            .addPredicate(
                KuduPredicate.newInListPredicate(
                    table.getSchema().getColumn("k"), List.of(57, 58, 60)))
            .readMode(ReadMode.READ_AT_SNAPSHOT)
            .snapshotTimestampRaw(before)
            .setFaultTolerant(true)
            .cacheBlocks(false)
            .build();
    assertThat(readAll(tokens)).containsExactlyInAnyOrder("58", "60");
  }

  @Test
  void tokensContainNullAndEmptyPredicates() throws Exception {
    KuduTable table = createSpread(10);
    apply(op(table.newInsert(), "k", 77));
    assertThat(
            readAll(
                client
                    .newScanTokenBuilder(table)
                    .addPredicate(
                        KuduPredicate.newIsNullPredicate(table.getSchema().getColumn("v")))
                    .build()))
        .containsExactly("77 null");
    assertThat(
            client
                .newScanTokenBuilder(table)
                .addPredicate(
                    KuduPredicate.newInListPredicate(table.getSchema().getColumn("v"), List.of()))
                .build())
        .isEmpty();
  }

  @Test
  void tokensMaySplitATablet() throws Exception {
    KuduTable table = create(schema(key("k", Type.INT32), nullable("s", Type.STRING)), oneTablet());
    for (int k = 0; k < 60; k++) {
      apply(op(table.newInsert(), "k", k, "s", "x".repeat(65_000)));
    }
    cluster.flush();
    List<KuduScanToken> tokens =
        client
            .newScanTokenBuilder(table)
            .setProjectedColumnNames(List.of("k"))
            .setSplitSizeBytes(1 << 20)
            .build();
    assertThat(tokens).isNotEmpty();
    assertThat(readAll(tokens)).hasSize(60).doesNotHaveDuplicates();
  }

  @Test
  void tokensMayOmitMetadata() throws Exception {
    KuduTable table = createSpread(30);
    for (boolean whole : List.of(false, true)) {
      List<KuduScanToken> tokens =
          client
              .newScanTokenBuilder(table)
              .includeTableMetadata(whole)
              .includeTabletMetadata(whole)
              .build();
      assertThat(readAll(tokens)).as("with metadata: %s", whole).hasSize(30);
    }
  }

  @Test
  void tokensWithoutMetadataUseTheCurrentSchema() throws Exception {
    KuduTable table = createSpread(3);
    List<KuduScanToken> tokens =
        client
            .newScanTokenBuilder(table)
            .includeTableMetadata(false)
            .includeTabletMetadata(false)
            .build();
    client.alterTable(tableName, alter().addColumn("d", Type.INT8, (byte) 1));
    assertThat(readAll(tokens)).containsExactlyInAnyOrder("0 0", "1 1", "2 2");
  }

  @Test
  void tokensFindARenamedTable() throws Exception {
    KuduTable table = createSpread(3);
    List<KuduScanToken> tokens =
        client
            .newScanTokenBuilder(table)
            .includeTableMetadata(false)
            .includeTabletMetadata(false)
            .build();
    client.alterTable(tableName, alter().renameTable(tableName + "_new"));
    assertThat(readAll(tokens)).hasSize(3);
  }

  @Test
  void tokensOfDiffScansMarkDeletedRows() throws Exception {
    KuduTable table = createSpread(4);
    long before = client.getLastPropagatedTimestamp() + 1;
    apply(op(table.newDelete(), "k", 1), op(table.newUpdate(), "k", 2, "v", 9));
    long after = client.getLastPropagatedTimestamp() + 1;
    assertThat(readAll(client.newScanTokenBuilder(table).diffScan(before, after).build()))
        .containsExactlyInAnyOrder("1 1 true", "2 9 false");
  }

  @Test
  void tokensCanBeConvertedToScannerBuilders() throws Exception {
    KuduTable table = createSpread(50);
    List<String> rows = new ArrayList<>();
    for (KuduScanToken token : client.newScanTokenBuilder(table).build()) {
      KuduScanner scanner =
          KuduScanToken.deserializeIntoScannerBuilder(token.serialize(), client)
              .batchSizeBytes(1)
              .build();
      rows.addAll(drain(scanner, RowDataFormat.COLUMNAR));
    }
    assertThat(rows).hasSize(50).doesNotHaveDuplicates();
  }

  @Test
  void tokensAreOrderedByPartition() throws Exception {
    Schema schema = keyAndValue();
    KuduTable table =
        create(
            schema,
            options()
                .setRangePartitionColumns(List.of("k"))
                .addSplitRow(row(schema, "k", 10))
                .addSplitRow(row(schema, "k", 20)));
    insert(table, rows(5, 25));
    List<KuduScanToken> tokens = client.newScanTokenBuilder(table).build();
    assertThat(tokens).hasSize(3).isSorted();
    assertThat(drain(tokens.get(0).intoScanner(client))).hasSize(5);
    assertThat(drain(tokens.get(1).intoScanner(client))).hasSize(10);
  }

  @Test
  void tokensHaveATextForm() throws Exception {
    KuduTable table = createSpread(1);
    KuduScanToken token = client.newScanTokenBuilder(table).build().get(0);
    assertThat(KuduScanToken.stringifySerializedToken(token.serialize(), client))
        .contains(tableName);
  }
}
