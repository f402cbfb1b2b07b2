package dev.kudu4j.itest.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnSchema.CompressionAlgorithm;
import dev.kudu4j.ColumnSchema.Encoding;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTable;
import java.math.BigDecimal;
import java.sql.Date;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Creating, listing, opening, counting, deleting and recalling tables. */
abstract class TableCases extends ClientCase {
  @Test
  void everyTypeKeepsItsAttributesAndDefaults() throws Exception {
    KuduTable table =
        create(
            schema(
                key("k", Type.INT32),
                column("i8", Type.INT8).defaultValue((byte) -3).build(),
                column("i16", Type.INT16).defaultValue((short) 300).build(),
                column("i64", Type.INT64).nullable(true).defaultValue(1L << 40).build(),
                column("f", Type.FLOAT).defaultValue(1.5f).build(),
                column("d", Type.DOUBLE).defaultValue(-2.5).build(),
                column("b", Type.BOOL).defaultValue(true).build(),
                column("s", Type.STRING).defaultValue("").build(),
                column("dt", Type.DATE).defaultValue(Date.valueOf("1999-12-31")).build(),
                decimal("d5", 5, 2).defaultValue(new BigDecimal("123.45")).build(),
                decimal("d18", 18, 0).defaultValue(new BigDecimal("7")).build(),
                decimal("d38", 38, 10).defaultValue(new BigDecimal("1.0000000000")).build(),
                varchar("vc", 5).nullable(true).build()),
            oneTablet());
    Schema schema = table.getSchema();
    assertThat(schema.getColumn("d38").getTypeAttributes().getPrecision()).isEqualTo(38);
    assertThat(schema.getColumn("d38").getTypeAttributes().getScale()).isEqualTo(10);
    assertThat(schema.getColumn("vc").getTypeAttributes().getLength()).isEqualTo(5);
    assertThat(schema.getColumn("d5").getDefaultValue()).isEqualTo(new BigDecimal("123.45"));
    assertThat(schema.getColumn("i8").getDefaultValue()).isEqualTo((byte) -3);
    assertThat(schema.getColumn("vc").getDefaultValue()).isNull();
    apply(op(table.newInsert(), "k", 1), op(table.newInsert(), "k", 2, "i64", null, "vc", "abc"));
    assertThat(scan(table))
        .containsExactlyInAnyOrder(
            "1 -3 300 1099511627776 1.5 -2.5 true  1999-12-31 123.45 7 1.0000000000 null",
            "2 -3 300 null 1.5 -2.5 true  1999-12-31 123.45 7 1.0000000000 abc");
  }

  @Test
  void encodingsCompressionsAndBlockSizesAreKept() throws Exception {
    KuduTable table =
        create(
            schema(
                column("k", Type.INT32).key(true).encoding(Encoding.BIT_SHUFFLE).build(),
                column("p", Type.STRING).encoding(Encoding.PREFIX_ENCODING).build(),
                column("d", Type.STRING)
                    .encoding(Encoding.DICT_ENCODING)
                    .compressionAlgorithm(CompressionAlgorithm.LZ4)
                    .build(),
                column("r", Type.BOOL).encoding(Encoding.RLE).build(),
                column("n", Type.DOUBLE)
                    .encoding(Encoding.PLAIN_ENCODING)
                    .compressionAlgorithm(CompressionAlgorithm.ZLIB)
                    .desiredBlockSize(4096)
                    .build()),
            oneTablet());
    Schema schema = client.openTable(tableName).getSchema();
    assertThat(schema.getColumns())
        .extracting(ColumnSchema::getEncoding)
        .containsExactly(
            Encoding.BIT_SHUFFLE,
            Encoding.PREFIX_ENCODING,
            Encoding.DICT_ENCODING,
            Encoding.RLE,
            Encoding.PLAIN_ENCODING);
    assertThat(schema.getColumn("d").getCompressionAlgorithm()).isEqualTo(CompressionAlgorithm.LZ4);
    assertThat(schema.getColumn("n").getDesiredBlockSize()).isEqualTo(4096);
    for (int k = 0; k < 50; k++) {
      apply(op(table.newInsert(), "k", k, "p", "p" + k, "d", "d", "r", k % 2 == 0, "n", k * 0.5));
      if (k == 25) {
        cluster.flush();
      }
    }
    assertThat(scan(table)).hasSize(50).contains("49 p49 d false 24.5", "0 p0 d true 0.0");
  }

  @Test
  void ownersCommentsAndExtraConfigsAreKept() throws Exception {
    create(
        schema(key("k", Type.INT32), column("v", Type.INT32).comment("what it is for").build()),
        oneTablet()
            .setOwner("bob")
            .setComment("of the table")
            .setExtraConfigs(Map.of("kudu.table.history_max_age_sec", "7200")));
    KuduTable table = client.openTable(tableName);
    assertThat(table.getOwner()).isEqualTo("bob");
    assertThat(table.getComment()).isEqualTo("of the table");
    assertThat(table.getExtraConfig()).containsEntry("kudu.table.history_max_age_sec", "7200");
    assertThat(table.getSchema().getColumn("v").getComment()).isEqualTo("what it is for");
    assertThat(table.getSchema().getColumn("k").getComment()).isEmpty();
  }

  @Test
  void anOpenedTableEqualsTheCreatedTable() throws Exception {
    KuduTable created = create(keyAndValue(), twoTablets());
    KuduTable opened = client.openTable(tableName);
    assertThat(opened.getTableId()).isEqualTo(created.getTableId()).hasSize(32);
    assertThat(opened.getName()).isEqualTo(tableName);
    assertThat(opened.getNumReplicas()).isEqualTo(cluster.replicaCount());
    assertThat(opened.getSchema()).isEqualTo(created.getSchema());
    assertThat(opened.getSchema().hasColumnIds()).isTrue();
    assertThat(opened.getSchema().getColumnId("k"))
        .isNotEqualTo(opened.getSchema().getColumnId("v"));
    assertThat(opened.getOwner()).isEqualTo(created.getOwner());
  }

  @Test
  void keysOfSeveralColumnsKeepTheirOrder() throws Exception {
    Schema schema =
        create(
                schema(key("b", Type.STRING), key("a", Type.INT64), nullable("v", Type.INT8)),
                oneTablet())
            .getSchema();
    assertThat(schema.getPrimaryKeyColumnCount()).isEqualTo(2);
    assertThat(schema.getPrimaryKeyColumns())
        .extracting(ColumnSchema::getName)
        .containsExactly("b", "a");
    assertThat(schema.getColumnIndex("v")).isEqualTo(2);
    assertThat(schema.isPrimaryKeyUnique()).isTrue();
    assertThat(schema.hasNullableColumns()).isTrue();
  }

  @Test
  void tablesAreListedByPartOfTheirName() throws Exception {
    client.createTable(tableName + "_one", keyAndValue(), oneTablet());
    KuduTable two = client.createTable(tableName + "_two", keyAndValue(), oneTablet());
    assertThat(client.getTablesList(tableName).getTablesList())
        .containsExactlyInAnyOrder(tableName + "_one", tableName + "_two");
    assertThat(client.getTablesList("_two").getTablesList()).containsExactly(tableName + "_two");
    assertThat(client.getTablesList().getTablesList()).contains(tableName + "_one");
    assertThat(client.getTablesList(tableName + "_three").getTablesList()).isEmpty();
    assertThat(client.getTablesList("_two").getTableInfosList())
        .singleElement()
        .satisfies(info -> assertThat(info.getTableId()).isEqualTo(two.getTableId()));
  }

  @Test
  void aTableExistsUntilItIsDeleted() throws Exception {
    assertThat(client.tableExists(tableName)).isFalse();
    create(keyAndValue(), oneTablet());
    assertThat(client.tableExists(tableName)).isTrue();
    client.deleteTable(tableName);
    assertThat(client.tableExists(tableName)).isFalse();
    refused(() -> client.deleteTable(tableName), "Not found", "the table does not exist");
  }

  @Test
  void aTableNameIsUnique() throws Exception {
    create(keyAndValue(), oneTablet());
    refused(
        () -> create(keyAndValue(), oneTablet()),
        "Already present",
        "table " + tableName + " already exists");
  }

  @Test
  void aNameIsFreeAfterDeletion() throws Exception {
    String first = createWith(new int[] {1, 1}).getTableId();
    client.deleteTable(tableName);
    KuduTable second = create(keyAndValue(), oneTablet());
    assertThat(second.getTableId()).isNotEqualTo(first);
    assertThat(scan(second)).isEmpty();
  }

  @Test
  void badPartitionsAreRefused() throws Exception {
    refused(
        () -> create(keyAndValue(), options().addHashPartitions(List.of("k"), 1)),
        "Invalid argument",
        "must have at least two hash buckets");
    refused(
        () -> create(keyAndValue(), options().addHashPartitions(List.of("v"), 2)),
        "Invalid argument",
        "must specify only primary key columns for hash bucket partition components");
    refused(
        () -> create(keyAndValue(), options().addHashPartitions(List.of("zz"), 2)),
        "Invalid argument",
        "unknown column: name: \"zz\"");
    refused(
        () -> create(keyAndValue(), options().setRangePartitionColumns(List.of("v"))),
        "Invalid argument",
        "must specify only primary key columns for range partition component");
    assertThat(client.tableExists(tableName)).isFalse();
  }

  @Test
  void aTableWithoutPartitioningIsRejected() {
    rejected(() -> create(keyAndValue(), options()), "Table partitioning must be specified");
  }

  @Test
  void encodingsThatATypeDoesNotHaveAreRefused() {
    refused(
        () ->
            create(
                schema(
                    key("k", Type.INT32),
                    column("x", Type.INT64).encoding(Encoding.PREFIX_ENCODING).build()),
                oneTablet()),
        "Not implemented",
        "encoding PREFIX_ENCODING not supported for type INT64");
  }

  @Test
  void evenReplicaCountsAreRefused() {
    refused(() -> create(keyAndValue(), oneTablet().setNumReplicas(2)), "Invalid argument", "2");
    refused(() -> create(keyAndValue(), oneTablet().setNumReplicas(99)), "Invalid argument", "99");
  }

  @Test
  void notEveryTypeMayBeAKey() {
    for (Type type : List.of(Type.BOOL, Type.FLOAT, Type.DOUBLE)) {
      refused(
          () -> create(schema(key("k", type)), oneTablet()),
          "Invalid argument",
          type.name(),
          "key");
    }
  }

  @Test
  void tooManyColumnsAreRefused() {
    ColumnSchema[] columns = new ColumnSchema[301];
    columns[0] = key("k", Type.INT32);
    for (int i = 1; i < columns.length; i++) {
      columns[i] = nullable("c" + i, Type.INT8);
    }
    refused(() -> create(schema(columns), oneTablet()), "Invalid argument", "301", "300");
  }

  @Test
  void creationCanBeAwaitedByTheCaller() throws Exception {
    create(keyAndValue(), twoTablets().setWait(false));
    eventually("the table is made").until(() -> client.isCreateTableDone(tableName));
    insert(client.openTable(tableName), rows(0, 4));
    assertThat(scan(client.openTable(tableName))).hasSize(4);
  }

  @Test
  void softDeletedTablesKeepTheirNameAndRows() throws Exception {
    KuduTable table = createWith(new int[] {1, 1});
    client.deleteTable(tableName, 600);
    assertThat(client.getTablesList(tableName).getTablesList()).isEmpty();
    assertThat(client.getSoftDeletedTablesList(tableName).getTablesList())
        .containsExactly(tableName);
    assertThat(scan(client.openTable(tableName))).containsExactly("1 1");
    refused(() -> create(keyAndValue(), oneTablet()), "Already present", "already exists");
    refused(() -> client.deleteTable(tableName, 600), "Invalid argument");
    client.recallDeletedTable(table.getTableId());
    assertThat(client.getTablesList(tableName).getTablesList()).containsExactly(tableName);
    refused(() -> client.recallDeletedTable(table.getTableId()), "Not found", table.getTableId());
    insert(table, new int[] {2, 2});
    assertThat(scan(table)).hasSize(2);
  }

  @Test
  void aRecalledTableMayHaveANewName() throws Exception {
    KuduTable table = createWith(new int[] {1, 1});
    client.deleteTable(tableName, 600);
    client.recallDeletedTable(table.getTableId(), tableName + "_again");
    assertThat(client.tableExists(tableName)).isFalse();
    assertThat(scan(client.openTable(tableName + "_again"))).containsExactly("1 1");
  }

  @Test
  void statisticsFollowTheWrites() throws Exception {
    KuduTable table = createWith(rows(1, 4));
    eventually("3 rows are told").until(() -> liveRows() == 3);
    apply(op(table.newDelete(), "k", 2));
    eventually("2 rows are told").until(() -> liveRows() == 2);
    assertThat(table.getTableStatistics().getLiveRowCount()).isEqualTo(2);
    assertThat(table.getTableStatistics().getOnDiskSize()).isGreaterThanOrEqualTo(0);
  }

  private long liveRows() throws KuduException {
    return client.getTableStatistics(tableName).getLiveRowCount();
  }

  @Test
  void tabletServersAreListed() throws Exception {
    assertThat(client.listTabletServers().getTabletServersCount())
        .isEqualTo(cluster.tabletServerCount());
    assertThat(client.listTabletServers().getTabletServersList())
        .hasSize(cluster.tabletServerCount())
        .allMatch(host -> !host.isEmpty());
  }
}
