package dev.kudu4j.itest.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnSchema.CompressionAlgorithm;
import dev.kudu4j.ColumnSchema.Encoding;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTable;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Alterations of tables, and the cells of old and new rows afterwards. */
abstract class AlterCases extends ClientCase {
  private KuduTable reopened() throws KuduException {
    return client.openTable(tableName);
  }

  private Schema alteredSchema() throws KuduException {
    return reopened().getSchema();
  }

  @Test
  void addedColumnsHaveTheirDefaultInOldRows() throws Exception {
    createWith(new int[] {1, 1});
    cluster.flush();
    client.alterTable(
        tableName,
        alter()
            .addNullableColumn("n", Type.STRING)
            .addNullableColumn("m", Type.INT8, (byte) 5)
            .addColumn("d", Type.INT64, 42L)
            .addColumn(column("c", Type.DOUBLE).nullable(true).comment("made whole").build()));
    assertThat(scan(reopened())).containsExactly("1 1 null 5 42 null");
    apply(op(reopened().newInsert(), "k", 2, "n", "x", "m", null));
    assertThat(scan(reopened()))
        .containsExactlyInAnyOrder("1 1 null 5 42 null", "2 null x null 42 null");
    assertThat(alteredSchema().getColumn("c").getComment()).isEqualTo("made whole");
  }

  @Test
  void columnsAddedAgainAfterADropAreEmpty() throws Exception {
    createWith(new int[] {1, 7});
    cluster.flush();
    client.alterTable(tableName, alter().dropColumn("v"));
    assertThat(scan(reopened())).containsExactly("1");
    client.alterTable(tableName, alter().addNullableColumn("v", Type.INT32));
    assertThat(scan(reopened())).containsExactly("1 null");
  }

  @Test
  void renamedColumnsKeepTheirCells() throws Exception {
    createWith(new int[] {1, 7});
    client.alterTable(tableName, alter().renameColumn("v", "w"));
    assertThat(alteredSchema().hasColumn("v")).isFalse();
    assertThat(scan(reopened(), b -> b.setProjectedColumnNames(List.of("w")))).containsExactly("7");
  }

  @Test
  void keyColumnsCanBeRenamed() throws Exception {
    createWith(new int[] {1, 7});
    client.alterTable(tableName, alter().renameColumn("k", "id"));
    KuduTable table = reopened();
    assertThat(table.getSchema().getPrimaryKeyColumns().get(0).getName()).isEqualTo("id");
    apply(op(table.newUpsert(), "id", 1, "v", 8));
    assertThat(scan(table)).containsExactly("1 8");
  }

  @Test
  void defaultsChangeForNewRowsOnly() throws Exception {
    KuduTable table =
        create(
            schema(key("k", Type.INT32), column("d", Type.INT64).defaultValue(42L).build()),
            oneTablet());
    apply(op(table.newInsert(), "k", 1));
    client.alterTable(tableName, alter().changeDefault("d", 77L));
    assertThat(alteredSchema().getColumn("d").getDefaultValue()).isEqualTo(77L);
    apply(op(reopened().newInsert(), "k", 2));
    assertThat(scan(reopened())).containsExactlyInAnyOrder("1 42", "2 77");
  }

  @Test
  void defaultsCanBeRemoved() throws Exception {
    KuduTable table =
        create(
            schema(
                key("k", Type.INT32),
                column("d", Type.INT64).nullable(true).defaultValue(42L).build()),
            oneTablet());
    apply(op(table.newInsert(), "k", 1));
    client.alterTable(tableName, alter().removeDefault("d"));
    assertThat(alteredSchema().getColumn("d").getDefaultValue()).isNull();
    apply(op(reopened().newInsert(), "k", 2));
    assertThat(scan(reopened())).containsExactlyInAnyOrder("1 42", "2 null");
  }

  @Test
  void encodingCompressionBlockSizeAndCommentChange() throws Exception {
    createWith(new int[] {1, 7});
    cluster.flush();
    client.alterTable(
        tableName,
        alter()
            .changeEncoding("v", Encoding.PLAIN_ENCODING)
            .changeCompressionAlgorithm("v", CompressionAlgorithm.SNAPPY)
            .changeDesiredBlockSize("v", 8192)
            .changeComment("v", "new"));
    ColumnSchema v = alteredSchema().getColumn("v");
    assertThat(v.getEncoding()).isEqualTo(Encoding.PLAIN_ENCODING);
    assertThat(v.getCompressionAlgorithm()).isEqualTo(CompressionAlgorithm.SNAPPY);
    assertThat(v.getDesiredBlockSize()).isEqualTo(8192);
    assertThat(v.getComment()).isEqualTo("new");
    insert(reopened(), new int[] {2, 8});
    cluster.flush();
    assertThat(scan(reopened())).containsExactlyInAnyOrder("1 7", "2 8");
  }

  @Test
  void theImmutableAttributeIsSetAndRemoved() throws Exception {
    createWith(new int[] {1, 7});
    client.alterTable(tableName, alter().changeImmutable("v", true));
    assertThat(alteredSchema().getColumn("v").isImmutable()).isTrue();
    assertThat(apply(op(reopened().newUpdate(), "k", 1, "v", 8)).get(0)).startsWith("Immutable");
    client.alterTable(tableName, alter().changeImmutable("v", false));
    assertThat(apply(op(reopened().newUpdate(), "k", 1, "v", 8)).get(0)).isEqualTo("ok");
    assertThat(scan(reopened())).containsExactly("1 8");
  }

  @Test
  void aRenamedTableKeepsItsRows() throws Exception {
    String id = createWith(new int[] {1, 7}).getTableId();
    client.alterTable(tableName, alter().renameTable(tableName + "_new"));
    assertThat(client.tableExists(tableName)).isFalse();
    KuduTable renamed = client.openTable(tableName + "_new");
    assertThat(renamed.getTableId()).isEqualTo(id);
    assertThat(scan(renamed)).containsExactly("1 7");
  }

  @Test
  void ownerCommentAndExtraConfigsChange() throws Exception {
    createWith();
    client.alterTable(
        tableName,
        alter()
            .setOwner("alice")
            .setComment("c")
            .alterExtraConfigs(Map.of("kudu.table.history_max_age_sec", "3600")));
    KuduTable table = reopened();
    assertThat(table.getOwner()).isEqualTo("alice");
    assertThat(table.getComment()).isEqualTo("c");
    assertThat(table.getExtraConfig()).containsEntry("kudu.table.history_max_age_sec", "3600");
  }

  @Test
  void severalStepsAreAppliedInOneAlteration() throws Exception {
    createWith(new int[] {1, 7});
    client.alterTable(
        tableName,
        alter()
            .addNullableColumn("a", Type.INT32)
            .renameColumn("a", "b")
            .dropColumn("v")
            .renameTable(tableName + "_new"));
    assertThat(scan(client.openTable(tableName + "_new"))).containsExactly("1 null");
  }

  @Test
  void aRejectedAlterationChangesNothing() throws Exception {
    createWith();
    refused(
        () ->
            client.alterTable(
                tableName, alter().addNullableColumn("z", Type.INT8).dropColumn("nope")),
        "Not found",
        "The specified column does not exist: nope");
    assertThat(alteredSchema().hasColumn("z")).isFalse();
  }

  @Test
  void badColumnAlterationsAreRefused() throws Exception {
    createWith();
    refused(
        () -> client.alterTable(tableName, alter().addNullableColumn("v", Type.INT32)),
        "Already present",
        "The column already exists: v");
    refused(
        () -> client.alterTable(tableName, alter().dropColumn("k")),
        "Invalid argument",
        "cannot remove a key column");
    refused(
        () -> client.alterTable(tableName, alter().renameColumn("v", "k")), "Already present", "k");
    refused(
        () -> client.alterTable(tableName, alter().changeDefault("v", "t")),
        "Invalid argument",
        "wrong size for default value");
  }

  @Test
  void badTableNamesAreRefused() throws Exception {
    createWith();
    client.createTable(tableName + "_taken", keyAndValue(), oneTablet());
    refused(
        () -> client.alterTable(tableName, alter().renameTable(tableName + "_taken")),
        "Already present",
        tableName + "_taken");
    refused(
        () -> client.alterTable(tableName + "_none", alter().renameTable(tableName + "_x")),
        "Not found",
        "the table does not exist");
  }

  @Test
  void anAlterationCanBeAwaitedByTheCaller() throws Exception {
    createWith(new int[] {1, 7});
    client.alterTable(tableName, alter().addNullableColumn("n", Type.INT32).setWait(false));
    eventually("the table is altered").until(() -> client.isAlterTableDone(tableName));
    assertThat(scan(reopened())).containsExactly("1 7 null");
  }
}
