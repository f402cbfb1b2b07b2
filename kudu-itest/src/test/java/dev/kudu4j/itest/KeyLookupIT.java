package dev.kudu4j.itest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.client.Update;
import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.itest.support.PublishedCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows by their primary keys, from our servers and from Apache Kudu's. */
class KeyLookupIT {
  private static final List<Integer> NUMBERS =
      List.of(Integer.MIN_VALUE, -256, -1, 0, 1, 255, 256, 65_535, Integer.MAX_VALUE);
  private static final List<String> NAMES = List.of("", "a", "a\0", "a\0b", "aa", "z");

  @TempDir private Path directory;

  @Test
  void ourServersFindRowsByTheirKeys() throws Exception {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().tabletServers(1).start()) {
      verify(cluster.masterAddresses());
    }
  }

  @Test
  void publishedServersFindRowsByTheirKeys() throws Exception {
    try (PublishedCluster cluster = new PublishedCluster(directory).start()) {
      verify(cluster.masters());
    }
  }

  private static void verify(String masters) throws Exception {
    try (KuduClient client = new KuduClient.KuduClientBuilder(masters).build()) {
      verifyKeysOf(client, "number_last", List.of("name", "number"));
      verifyKeysOf(client, "name_last", List.of("number", "name"));
      verifyManyKeys(client);
    }
  }

  /**
   * Looks up ten thousand keys, some of them repeated. Every other key exists, and every fourth row
   * was changed.
   */
  private static void verifyManyKeys(KuduClient client) throws Exception {
    KuduTable table = create(client, "many", List.of("number", "name"));
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
    List<PartialRow> keys = new ArrayList<>();
    List<Optional<Integer>> expected = new ArrayList<>();
    for (int id = 0; id < 10_000; id++) {
      keys.add(row(table.getSchema().newPartialRow(), id * 7_919, "name" + id % 13));
      expected.add(id % 2 == 0 ? Optional.of(id % 4 == 0 ? -id : id) : Optional.empty());
      if (id % 2 == 0) {
        Insert insert = table.newInsert();
        row(insert.getRow(), id * 7_919, "name" + id % 13).addInt("id", id);
        session.apply(insert);
      }
    }
    session.flush();
    for (int id = 0; id < 10_000; id += 4) {
      Update update = table.newUpdate();
      row(update.getRow(), id * 7_919, "name" + id % 13).addInt("id", -id);
      session.apply(update);
    }
    session.close();
    assertThat(session.getPendingErrors().getRowErrors()).isEmpty();
    keys.addAll(keys.subList(5_000, 6_000));
    expected.addAll(expected.subList(5_000, 6_000));
    assertThat(ids(table.getAll(keys))).isEqualTo(expected);
  }

  /** Every other row exists; a key and its neighbours are never confused. */
  private static void verifyKeysOf(KuduClient client, String name, List<String> key)
      throws Exception {
    KuduTable table = create(client, name, key);
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.MANUAL_FLUSH);
    List<PartialRow> keys = new ArrayList<>();
    List<Optional<Integer>> expected = new ArrayList<>();
    for (int number : NUMBERS) {
      for (String text : NAMES) {
        int id = keys.size();
        keys.add(row(table.getSchema().newPartialRow(), number, text));
        expected.add(id % 2 == 0 ? Optional.of(id) : Optional.empty());
        if (id % 2 == 0) {
          Insert insert = table.newInsert();
          row(insert.getRow(), number, text).addInt("id", id);
          session.apply(insert);
        }
      }
    }
    session.flush().forEach(answer -> assertThat(answer.hasRowError()).isFalse());

    assertThat(ids(table.getAll(keys))).isEqualTo(expected);
    for (int i = 0; i < 4; i++) {
      assertThat(ids(List.of(table.get(keys.get(i))))).containsExactly(expected.get(i));
    }

    Update update = table.newUpdate();
    row(update.getRow(), NUMBERS.get(0), NAMES.get(0)).addInt("id", 4_711);
    session.setFlushMode(FlushMode.AUTO_FLUSH_SYNC);
    assertThat(session.apply(update).hasRowError()).isFalse();
    assertThat(ids(List.of(table.get(keys.get(0))))).containsExactly(Optional.of(4_711));
    session.close();
  }

  private static KuduTable create(KuduClient client, String name, List<String> key)
      throws Exception {
    Schema schema =
        new Schema(
            List.of(
                column(key.get(0)).key(true).build(),
                column(key.get(1)).key(true).build(),
                new ColumnSchemaBuilder("id", Type.INT32).build()));
    return client.createTable(
        name, schema, new CreateTableOptions().addHashPartitions(key, 3).setNumReplicas(1));
  }

  private static ColumnSchemaBuilder column(String name) {
    return new ColumnSchemaBuilder(name, name.equals("number") ? Type.INT32 : Type.STRING);
  }

  private static PartialRow row(PartialRow row, int number, String name) {
    row.addInt("number", number);
    row.addString("name", name);
    return row;
  }

  private static List<Optional<Integer>> ids(List<Optional<RowResult>> rows) {
    return rows.stream().map(row -> row.map(found -> found.getInt("id"))).toList();
  }
}
