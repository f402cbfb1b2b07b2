package dev.kudu4j.tools.fs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.SessionConfiguration;
import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.maintenance.MaintenanceTask;
import dev.kudu4j.tools.KuduRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Verbs on the files of a stopped server, which has files of all kinds. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReplicaVerbsTest {
  private static final int ROWS = 2000;

  private Path server;
  private Path tablet;
  private String id;

  @BeforeAll
  void makeReplicaWithEveryKindOfFile(@TempDir Path directory) throws Exception {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().directory(directory).start()) {
      KuduClient client = cluster.client();
      KuduTable table =
          client.createTable(
              "people",
              new Schema(
                  List.of(
                      new ColumnSchema.ColumnSchemaBuilder("id", Type.INT32).key(true).build(),
                      new ColumnSchema.ColumnSchemaBuilder("age", Type.INT32).build(),
                      new ColumnSchema.ColumnSchemaBuilder("name", Type.STRING)
                          .nullable(true)
                          .build())),
              new CreateTableOptions().addHashPartitions(List.of("id"), 2, 7).setNumReplicas(1));
      write(client, table);
      KuduRun flushed = kudu("tablet", "compact", cluster.masterAddresses(), "--tables=people");
      assertThat(flushed.exitCode()).as(flushed.out() + flushed.err()).isZero();
    }
    server = directory.resolve("tserver-0");
    tablet = ServerDirectories.children(server.resolve("data")).get(0);
    id = tablet.getFileName().toString();
    compactDeltas();
  }

  private static void write(KuduClient client, KuduTable table) throws Exception {
    KuduSession session = client.newSession();
    session.setFlushMode(SessionConfiguration.FlushMode.AUTO_FLUSH_BACKGROUND);
    for (int i = 0; i < ROWS; i++) {
      Insert insert = table.newInsert();
      insert.getRow().addInt("id", i);
      insert.getRow().addInt("age", i % 90);
      insert.getRow().addString("name", "name " + i);
      session.apply(insert);
    }
    session.flush();
    session.close();
  }

  /** Compacts without a server, because a server would choose the time itself. */
  private void compactDeltas() throws IOException {
    try (OfflineFiles offline = new OfflineFiles();
        Tablet open = Tablet.open(offline.environment(tablet))) {
      EngineWrites writes = new EngineWrites(open);
      writes.insert(100_000, 300);
      open.flush();
      writes.update(100_000, 300, 1);
      open.flush();
      for (MaintenanceTask task : open.maintenance().candidates(0, 128 << 20)) {
        if (task.kind() == MaintenanceTask.Kind.MAJOR_DELTA_COMPACTION) {
          task.run();
        }
      }
      writes.delete(100_007);
      open.flush();
    }
  }

  private KuduRun kudu(Object... arguments) {
    return KuduRun.of(arguments);
  }

  private String flags() {
    return "--fs_wal_dir=" + server;
  }

  private Path file(String ending) throws IOException {
    return ServerDirectories.children(tablet).stream()
        .filter(path -> path.toString().endsWith(ending))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void listShowsEveryKindOfFile() {
    KuduRun list = kudu("fs", "list", flags(), "--format=csv");
    assertThat(list.exitCode()).as(list.err()).isZero();
    assertThat(list.out())
        .contains(",superblock,", ",base data,", ",columns,", ",UNDO deltas,", ",REDO deltas,")
        .doesNotContain("garbage", "broken", "missing");
    assertThat(kudu("local_replica", "list", flags()).out().lines()).contains(id).hasSize(2);
    assertThat(kudu("local_replica", "list", flags(), "--list_detail").out())
        .contains("people", "HASH (id) PARTITION ", "live rows", tablet.toString());
  }

  @Test
  void checkReadsEveryKindOfFile() throws IOException {
    KuduRun check = kudu("fs", "check", flags());
    assertThat(check.exitCode()).as(check.out() + check.err()).isZero();
    assertThat(check.out()).contains("2 tablets", "bytes read: sound");
    for (String ending : List.of(".base", ".columns", ".undo", ".redo")) {
      assertThat(kudu("fs", "check", file(ending)).out()).contains(": sound");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {".base", ".columns", ".undo", ".redo"})
  void aFlippedBitFailsTheCheck(String ending) throws IOException {
    Path file = file(ending);
    byte[] sound = Files.readAllBytes(file);
    byte[] broken = sound.clone();
    broken[30] ^= 16; // in the first block
    Files.write(file, broken);
    try {
      KuduRun check = kudu("fs", "check", flags());
      assertThat(check.exitCode()).isEqualTo(1);
      assertThat(check.out())
          .contains(file + ": corrupt at offset 16")
          .containsPattern(id + " .* 1 problem")
          .contains("| sound");
      KuduRun csv = kudu("fs", "check", flags(), "--format=csv");
      assertThat(csv.exitCode()).isEqualTo(1);
      assertThat(csv.out()).startsWith("tablet,table,rowset,").doesNotContain("offset");
      assertThat(csv.err()).contains(file + ": corrupt at offset 16");
    } finally {
      Files.write(file, sound);
    }
  }

  @Test
  void everyKindOfFileIsDumped() throws IOException {
    assertThat(kudu("fs", "dump", "--rows=1", file(".columns")).out())
        .contains("columns, format version", "age INT32", "row 0: age ")
        .doesNotContain("row 1:");
    assertThat(kudu("fs", "dump", "--rows=1", file(".undo")).out())
        .contains("delta (UNDO)", ": update, column id ");
  }

  @Test
  void aRowIsDumpedWithItsHistory() {
    KuduRun meta = kudu("local_replica", "dump", "meta", id, flags());
    assertThat(meta.out()).contains("Partition: HASH (id)", "Table name: people", "row_sets {");
    assertThat(kudu("local_replica", "dump", "data_dirs", id, flags()).out().trim())
        .isEqualTo(tablet.toString());
    KuduRun rows = kudu("local_replica", "dump", "rowset", id, flags());
    assertThat(rows.exitCode()).as(rows.err()).isZero();
    assertThat(rows.out())
        .containsPattern("id 100003, age 4, name \"name 100003\"\n  UNDO at \\S+: update, age 3\n")
        .containsPattern("id 100007, age 8, .*\n  UNDO .*\n  REDO at \\S+: delete\n");
    String few =
        kudu(
                "local_replica",
                "dump",
                "rowset",
                id,
                flags(),
                "--rowset_index=0",
                "--nrows=2",
                "--nodump_all_columns",
                "--nodump_metadata")
            .out();
    assertThat(few.lines()).hasSize(2).allMatch(line -> line.startsWith("row "));
    assertThat(few).doesNotContain("age");
  }

  @Test
  void sizesAddUpToTheFiles() throws IOException {
    KuduRun sizes = kudu("local_replica", "data_size", id, flags(), "--format=csv");
    assertThat(sizes.out())
        .startsWith("table,tablet,rowset,kind,column,bytes")
        .contains(
            "column,c2 (name),",
            "\"column, dead\",c1 (age),",
            "UNDO,,",
            "REDO,,",
            "Bloom filter,,",
            "key index,,",
            "insert timestamps,,");
    long bytes;
    try (Stream<Path> files = Files.list(tablet)) {
      bytes =
          files
              .filter(path -> !path.endsWith("superblock"))
              .mapToLong(path -> path.toFile().length())
              .sum();
    }
    assertThat(sizes.out()).contains("people," + id + ",*,*,," + bytes);
    assertThat(kudu("local_replica", "data_size", "*", flags()).out()).contains("people");
  }

  @Test
  void missingReplicasAndRowSetsAreReported() {
    KuduRun none = kudu("local_replica", "data_size", "abc", flags());
    assertThat(none.exitCode()).isEqualTo(1);
    assertThat(none.err()).contains("no replica of tablet abc", "kudu local_replica list");
    assertThat(kudu("local_replica", "dump", "rowset", id, flags(), "--rowset_index=99").err())
        .contains("there is no rowset 99");
    assertThat(kudu("local_replica").err()).contains("A verb is missing");
    assertThat(kudu("local_replica", "dump").err()).contains("data_dirs, meta or rowset");
    for (String verb : List.of("list", "dump", "data_size")) {
      assertThat(kudu("local_replica", verb, "--help").out()).contains("Usage: kudu local_replica");
    }
  }
}
