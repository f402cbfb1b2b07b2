package dev.kudu4j.itest.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.KuduPartitioner;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.LocatedTablet;
import dev.kudu4j.client.Partition;
import dev.kudu4j.client.PartitionSchema;
import dev.kudu4j.client.RangePartitionBound;
import dev.kudu4j.client.RangePartitionWithCustomHashSchema;
import dev.kudu4j.client.RowResult;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The partitioning of tables into tablets, and how clients see it. */
@SuppressWarnings("deprecation") // getTabletsLocations, in the published client
abstract class PartitionCases extends ClientCase {
  private static final long TIMEOUT_MILLIS = 60_000;

  private static Schema twoKeys() {
    return schema(key("a", Type.INT32), key("b", Type.STRING), nullable("v", Type.INT32));
  }

  private static int tabletCount(KuduTable table) throws Exception {
    return table.getTabletsLocations(TIMEOUT_MILLIS).size();
  }

  @Test
  void hashPartitionsSpreadTheRows() throws Exception {
    KuduTable table = create(keyAndValue(), options().addHashPartitions(List.of("k"), 4));
    insert(table, rows(0, 200));
    assertThat(tabletCount(table)).isEqualTo(4);
    assertThat(scan(table)).hasSize(200).doesNotHaveDuplicates();
    for (KuduScanToken token : client.newScanTokenBuilder(table).build()) {
      assertThat(drain(token.intoScanner(client))).hasSizeBetween(20, 90);
    }
  }

  @Test
  void rangePartitionsContainTheRowsOfTheirRange() throws Exception {
    Schema schema = keyAndValue();
    KuduTable table =
        create(
            schema,
            options()
                .setRangePartitionColumns(List.of("k"))
                .addRangePartition(row(schema, "k", 0), row(schema, "k", 10))
                .addRangePartition(row(schema, "k", 20), row(schema, "k", 30)));
    assertThat(table.getFormattedRangePartitions(TIMEOUT_MILLIS))
        .containsExactly("0 <= VALUES < 10", "20 <= VALUES < 30");
    List<String> outcomes =
        apply(
            op(table.newInsert(), "k", 15),
            op(table.newInsert(), "k", 9),
            op(table.newInsert(), "k", 20),
            op(table.newInsert(), "k", -1));
    assertThat(outcomes).filteredOn(o -> o.startsWith("Not found")).hasSize(2);
    assertThat(outcomes).contains("{successful_inserts=2}");
    assertThat(keys(table)).containsExactlyInAnyOrder("9", "20");
  }

  @Test
  void hashAndRangeMultiply() throws Exception {
    Schema schema = twoKeys();
    KuduTable table =
        create(
            schema,
            options()
                .addHashPartitions(List.of("b"), 2)
                .setRangePartitionColumns(List.of("a"))
                .addRangePartition(row(schema), row(schema, "a", 10))
                .addRangePartition(row(schema, "a", 10), row(schema, "a", 20))
                .addRangePartition(row(schema, "a", 20), row(schema)));
    assertThat(tabletCount(table)).isEqualTo(6);
    assertThat(table.getFormattedRangePartitions(TIMEOUT_MILLIS))
        .containsExactly("VALUES < 10", "10 <= VALUES < 20", "VALUES >= 20");
    for (int a : List.of(Integer.MIN_VALUE, 9, 10, 20, Integer.MAX_VALUE)) {
      assertThat(apply(op(table.newInsert(), "a", a, "b", "x")).get(0)).isEqualTo("ok");
    }
    assertThat(scan(table)).hasSize(5);
  }

  @Test
  void severalHashLevelsMultiply() throws Exception {
    KuduTable table =
        create(
            twoKeys(),
            options().addHashPartitions(List.of("a"), 2).addHashPartitions(List.of("b"), 3, 7));
    assertThat(tabletCount(table)).isEqualTo(6);
    for (int i = 0; i < 30; i++) {
      apply(op(table.newInsert(), "a", i, "b", "b" + i));
    }
    assertThat(scan(table)).hasSize(30);
    List<PartitionSchema.HashBucketSchema> levels =
        table.getPartitionSchema().getHashBucketSchemas();
    assertThat(levels)
        .extracting(PartitionSchema.HashBucketSchema::getNumBuckets)
        .containsExactly(2, 3);
    assertThat(levels.get(1).getSeed()).isEqualTo(7);
  }

  @Test
  void rangesMayHaveTheirOwnHashSchemas() throws Exception {
    Schema schema = twoKeys();
    RangePartitionWithCustomHashSchema custom =
        new RangePartitionWithCustomHashSchema(
            row(schema, "a", 1),
            row(schema, "a", 10),
            RangePartitionBound.INCLUSIVE_BOUND,
            RangePartitionBound.EXCLUSIVE_BOUND);
    custom.addHashPartitions(List.of("b"), 3, 7);
    KuduTable table =
        create(
            schema,
            options()
                .addHashPartitions(List.of("b"), 2)
                .setRangePartitionColumns(List.of("a"))
                .addRangePartition(custom)
                .addRangePartition(row(schema, "a", 20), row(schema, "a", 30)));
    assertThat(table.getFormattedRangePartitionsWithHashSchema(TIMEOUT_MILLIS))
        .containsExactly(
            "1 <= VALUES < 10 HASH(b) PARTITIONS 3", "20 <= VALUES < 30 HASH(b) PARTITIONS 2");
    assertThat(tabletCount(table)).isEqualTo(5);
    for (int i = 0; i < 20; i++) {
      apply(
          op(table.newInsert(), "a", 5, "b", "b" + i),
          op(table.newInsert(), "a", 25, "b", "b" + i));
    }
    assertThat(scan(table)).hasSize(40);
    KuduPredicate inFirst =
        KuduPredicate.newComparisonPredicate(
            table.getSchema().getColumn("a"), ComparisonOp.LESS, 10L);
    assertThat(scan(table, b -> b.addPredicate(inFirst))).hasSize(20);
  }

  @Test
  void splitRowsDivideRangesAndBoundsLimitThem() throws Exception {
    Schema schema = keyAndValue();
    KuduTable table =
        create(
            schema,
            options()
                .setRangePartitionColumns(List.of("k"))
                .addSplitRow(row(schema, "k", 10))
                .addSplitRow(row(schema, "k", 20)));
    assertThat(table.getFormattedRangePartitions(TIMEOUT_MILLIS))
        .containsExactly("VALUES < 10", "10 <= VALUES < 20", "VALUES >= 20");
    insert(table, rows(5, 25));
    assertThat(scan(table)).hasSize(20);
  }

  @Test
  void boundsMayBeInclusiveOrExclusive() throws Exception {
    Schema schema = keyAndValue();
    KuduTable table =
        create(
            schema,
            options()
                .setRangePartitionColumns(List.of("k"))
                .addRangePartition(
                    row(schema, "k", 0),
                    row(schema, "k", 9),
                    RangePartitionBound.EXCLUSIVE_BOUND,
                    RangePartitionBound.INCLUSIVE_BOUND));
    assertThat(table.getFormattedRangePartitions(TIMEOUT_MILLIS))
        .containsExactly("1 <= VALUES < 10");
    assertThat(apply(op(table.newInsert(), "k", 0)).get(0)).startsWith("Not found");
    assertThat(apply(op(table.newInsert(), "k", 9)).get(0)).isEqualTo("ok");
  }

  @Test
  void rangesOverStringsAndSeveralColumns() throws Exception {
    Schema schema = schema(key("s", Type.STRING), key("n", Type.INT16));
    KuduTable table =
        create(
            schema,
            options()
                .setRangePartitionColumns(List.of("s", "n"))
                .addRangePartition(
                    row(schema, "s", "a", "n", (short) 1), row(schema, "s", "m", "n", (short) 2)));
    assertThat(table.getFormattedRangePartitions(TIMEOUT_MILLIS))
        .containsExactly("(\"a\", 1) <= VALUES < (\"m\", 2)");
    assertThat(apply(op(table.newInsert(), "s", "m", "n", (short) 1)).get(0)).isEqualTo("ok");
    assertThat(apply(op(table.newInsert(), "s", "m", "n", (short) 2)).get(0))
        .startsWith("Not found");
    assertThat(apply(op(table.newInsert(), "s", "a", "n", (short) 0)).get(0))
        .startsWith("Not found");
  }

  @Test
  void overlappingRangesAreRefused() {
    Schema schema = keyAndValue();
    refused(
        () ->
            create(
                schema,
                options()
                    .setRangePartitionColumns(List.of("k"))
                    .addRangePartition(row(schema, "k", 0), row(schema, "k", 10))
                    .addRangePartition(row(schema, "k", 5), row(schema, "k", 15))),
        "Invalid argument",
        "first range partition: 0 <= VALUES < 10, second range partition: 5 <= VALUES < 15");
    refused(
        () ->
            create(
                schema,
                options()
                    .setRangePartitionColumns(List.of("k"))
                    .addRangePartition(row(schema, "k", 10), row(schema, "k", 10))),
        "Invalid argument",
        "range partition lower bound must be less than the upper bound");
  }

  @Test
  void rangesAreAddedAndDropped() throws Exception {
    Schema schema = keyAndValue();
    KuduTable table =
        create(
            schema,
            options()
                .setRangePartitionColumns(List.of("k"))
                .addRangePartition(row(schema, "k", 0), row(schema, "k", 10)));
    insert(table, rows(0, 3));
    client.alterTable(
        tableName,
        alter()
            .addRangePartition(
                row(schema, "k", 9),
                row(schema, "k", 19),
                RangePartitionBound.EXCLUSIVE_BOUND,
                RangePartitionBound.INCLUSIVE_BOUND));
    table = client.openTable(tableName);
    insert(table, rows(18, 20));
    assertThat(keys(table)).containsExactlyInAnyOrder("0", "1", "2", "18", "19");
    client.alterTable(
        tableName, alter().dropRangePartition(row(schema, "k", 0), row(schema, "k", 10)));
    table = client.openTable(tableName);
    assertThat(table.getFormattedRangePartitions(TIMEOUT_MILLIS))
        .containsExactly("10 <= VALUES < 20");
    assertThat(keys(table)).containsExactlyInAnyOrder("18", "19");
    assertThat(apply(op(table.newInsert(), "k", 0)).get(0)).startsWith("Not found");
  }

  @Test
  void addedRangesMayHaveTheirOwnHashSchemas() throws Exception {
    Schema schema = twoKeys();
    create(
        schema,
        options()
            .addHashPartitions(List.of("b"), 2)
            .setRangePartitionColumns(List.of("a"))
            .addRangePartition(row(schema, "a", 0), row(schema, "a", 10)));
    RangePartitionWithCustomHashSchema custom =
        new RangePartitionWithCustomHashSchema(
            row(schema, "a", 10),
            row(schema, "a", 20),
            RangePartitionBound.INCLUSIVE_BOUND,
            RangePartitionBound.EXCLUSIVE_BOUND);
    custom.addHashPartitions(List.of("b"), 4, 0);
    client.alterTable(tableName, alter().addRangePartition(custom));
    KuduTable table = client.openTable(tableName);
    assertThat(tabletCount(table)).isEqualTo(6);
    for (int i = 0; i < 10; i++) {
      assertThat(apply(op(table.newInsert(), "a", 15, "b", "b" + i)).get(0)).isEqualTo("ok");
    }
    assertThat(scan(table)).hasSize(10);
  }

  @Test
  void badRangeAlterationsAreRefused() throws Exception {
    Schema schema = keyAndValue();
    create(
        schema,
        options()
            .setRangePartitionColumns(List.of("k"))
            .addRangePartition(row(schema, "k", 0), row(schema, "k", 10)));
    refused(
        () ->
            client.alterTable(
                tableName, alter().addRangePartition(row(schema, "k", 5), row(schema, "k", 15))),
        "Invalid argument",
        "conflicts with existing");
    refused(
        () ->
            client.alterTable(
                tableName, alter().dropRangePartition(row(schema, "k", 0), row(schema, "k", 5))),
        "Invalid argument",
        "no range partition to drop");
    assertThat(client.openTable(tableName).getFormattedRangePartitions(TIMEOUT_MILLIS))
        .containsExactly("0 <= VALUES < 10");
  }

  @Test
  void thePartitionSchemaCanBeRead() throws Exception {
    Schema schema = twoKeys();
    KuduTable table =
        create(
            schema,
            options().addHashPartitions(List.of("b"), 2, 3).setRangePartitionColumns(List.of("a")));
    PartitionSchema partitions = table.getPartitionSchema();
    assertThat(partitions.getRangeSchema().getColumnIds())
        .containsExactly(table.getSchema().getColumnId("a"));
    assertThat(partitions.getHashBucketSchemas())
        .singleElement()
        .satisfies(
            hash -> {
              assertThat(hash.getColumnIds()).containsExactly(table.getSchema().getColumnId("b"));
              assertThat(hash.getSeed()).isEqualTo(3);
            });
    assertThat(partitions.getRangesWithHashSchemas()).isEmpty();
  }

  @Test
  void thePartitionerFindsTheTabletOfARow() throws Exception {
    Schema schema = keyAndValue();
    KuduTable table =
        create(
            schema,
            twoTablets()
                .setRangePartitionColumns(List.of("k"))
                .addRangePartition(row(schema, "k", 0), row(schema, "k", 100)));
    insert(table, rows(0, 50));
    KuduPartitioner partitioner = new KuduPartitioner.KuduPartitionerBuilder(table).build();
    assertThat(partitioner.numPartitions()).isEqualTo(2);
    assertThat(partitioner.isCovered(row(table.getSchema(), "k", 100))).isFalse();
    for (KuduScanToken token : client.newScanTokenBuilder(table).build()) {
      KuduScanner scanner = token.intoScanner(client);
      int partition = -1;
      while (scanner.hasMoreRows()) {
        for (RowResult row : scanner.nextRows()) {
          int found = partitioner.partitionRow(row(table.getSchema(), "k", row.getInt("k")));
          assertThat(partition).isIn(-1, found);
          partition = found;
        }
      }
      assertThat(partition).isBetween(0, 1);
    }
    refused(
        () -> partitioner.partitionRow(row(table.getSchema(), "k", 100)),
        "Not found",
        "range partition",
        "does not exist");
  }

  @Test
  void predicatesPruneTablets() throws Exception {
    Schema schema = keyAndValue();
    KuduTable table =
        create(
            schema,
            options()
                .addHashPartitions(List.of("k"), 4)
                .setRangePartitionColumns(List.of("k"))
                .addSplitRow(row(schema, "k", 100)));
    insert(table, rows(95, 105));
    assertThat(tokensFor(table)).isEqualTo(8);
    assertThat(tokensFor(table, on(table, ComparisonOp.EQUAL, 100))).isEqualTo(1);
    assertThat(tokensFor(table, on(table, ComparisonOp.LESS, 100))).isEqualTo(4);
    assertThat(tokensFor(table, on(table, ComparisonOp.GREATER, 99))).isEqualTo(4);
    assertThat(
            tokensFor(
                table, on(table, ComparisonOp.GREATER, 5), on(table, ComparisonOp.LESS_EQUAL, 5)))
        .isZero();
    assertThat(
            tokensFor(
                table,
                KuduPredicate.newInListPredicate(table.getSchema().getColumn("k"), List.of(97))))
        .isEqualTo(1);
    assertThat(keys(table, on(table, ComparisonOp.EQUAL, 100))).containsExactly("100");
    assertThat(keys(table, on(table, ComparisonOp.LESS, 97))).hasSize(2);
  }

  private static KuduPredicate on(KuduTable table, ComparisonOp comparison, long value) {
    return KuduPredicate.newComparisonPredicate(
        table.getSchema().getColumn("k"), comparison, value);
  }

  private int tokensFor(KuduTable table, KuduPredicate... predicates) {
    KuduScanToken.KuduScanTokenBuilder builder = client.newScanTokenBuilder(table);
    for (KuduPredicate predicate : predicates) {
      builder.addPredicate(predicate);
    }
    return builder.build().size();
  }

  @Test
  void locationsContainAllReplicasAndTheLeader() throws Exception {
    KuduTable table = create(keyAndValue(), twoTablets());
    for (LocatedTablet tablet : table.getTabletsLocations(TIMEOUT_MILLIS)) {
      assertThat(tablet.getReplicas()).hasSize(cluster.replicaCount());
      assertThat(tablet.getLeaderReplica().getRpcHost()).isEqualTo("127.0.0.1");
      assertThat(tablet.getLeaderReplica().getRpcPort()).isPositive();
      assertThat(tablet.getLeaderReplica().getRole()).isEqualTo("LEADER");
      assertThat(tablet.getTabletId()).hasSize(32);
    }
  }

  @Test
  void partitionsShowTheirBounds() throws Exception {
    Schema schema = keyAndValue();
    KuduTable table =
        create(
            schema,
            twoTablets()
                .setRangePartitionColumns(List.of("k"))
                .addRangePartition(row(schema, "k", 1), row(schema, "k", 10)));
    List<Partition> ranges = table.getRangePartitions(TIMEOUT_MILLIS);
    assertThat(ranges).hasSize(1);
    assertThat(ranges.get(0).getDecodedRangeKeyStart(table).getInt("k")).isEqualTo(1);
    assertThat(ranges.get(0).getDecodedRangeKeyEnd(table).getInt("k")).isEqualTo(10);
    assertThat(table.getTabletsLocations(TIMEOUT_MILLIS))
        .extracting(tablet -> tablet.getPartition().getHashBuckets())
        .containsExactlyInAnyOrder(List.of(0), List.of(1));
  }
}
