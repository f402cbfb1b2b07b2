package dev.kudu4j.tools.fs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.server.fs.ServerFiles;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.log.LogEntry;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.log.WriteRequest;
import dev.kudu4j.tools.Kudu;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class FileVerbsTest {
  private static final String TABLET = "0123456789abcdef0123456789abcdef";
  private static final Schema SCHEMA =
      new Schema(List.of(ColumnSchema.builder("k", DataType.INT32).id(0).key(true).build()));

  @TempDir private Path server;
  private Path tablet;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void makeServerWithOneTablet() throws IOException {
    try (ServerFiles files = openServer()) {
      tablet = files.placeTablet(TABLET);
    }
    try (OfflineFiles offline = new OfflineFiles();
        Tablet made =
            Tablet.create(
                offline.environment(tablet),
                new TabletDescriptor(
                    TABLET, "f".repeat(32), "a \"table\", quoted", SCHEMA, 1, Map.of()))) {
      write(made, 0, OperationType.INSERT, 1, 2, 3);
      made.flush();
      write(made, 1, OperationType.DELETE, 2);
      made.flush();
    }
  }

  private ServerFiles openServer() {
    return ServerFiles.open("kudu-tserver", server, List.of(), new Random(1), () -> 7777);
  }

  private static void write(Tablet tablet, int index, OperationType type, int... keys) {
    RowLayout layout = RowLayout.of(SCHEMA);
    RowOperationsWriter writer = new RowOperationsWriter(layout);
    for (int key : keys) {
      writer.begin(type).setInt(0, key).end();
    }
    WriteRequest request = new WriteRequest(null, 1, new int[] {0}, writer.packed());
    byte[] entry = LogEntry.encodeWrite(List.of(request));
    LogEntry.patchTimestamp(entry, 100 + index);
    tablet.apply(new LogPosition(1, index), LogEntry.decode(entry, 0, entry.length));
  }

  private int kudu(Object... arguments) {
    CommandLine kudu =
        Kudu.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return kudu.execute(List.of(arguments).stream().map(Object::toString).toArray(String[]::new));
  }

  private Path file(String ending) throws IOException {
    return ServerDirectories.children(tablet).stream()
        .filter(path -> path.toString().endsWith(ending))
        .findFirst()
        .orElseThrow();
  }

  private static void flipByte(Path file, int offset) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[offset] ^= 1;
    Files.write(file, bytes);
  }

  @Test
  void listNamesServerTabletsAndFiles() throws IOException {
    Files.writeString(tablet.resolve("rowset-0000000099.base"), "left over");
    assertThat(kudu("fs", "list", "--fs_wal_dir=" + server)).isZero();
    assertThat(out.toString())
        .contains("kudu-tserver", "Raft port 7777", TABLET, "1 tablets, 4 files")
        .containsPattern("superblock +\\| 1 +\\| +2 \\|")
        .containsPattern("base data +\\| [0-9]+ +\\| +3 \\|")
        .containsPattern("REDO deltas +\\| [0-9]+ +\\| +1 \\|")
        .containsPattern("rowset-0000000099.base +\\| garbage +\\| +\\| +\\| +9");
  }

  @Test
  void theRemainderOfACrashedCreationIsNoProblem() throws IOException {
    String left = "f".repeat(32);
    Files.createDirectory(tablet.resolveSibling(left));
    assertThat(kudu("fs", "check", "--fs_wal_dir=" + server)).as(out.toString()).isZero();
    assertThat(out.toString()).containsPattern(left + ".*remainder").contains("2 tablets");
  }

  @Test
  void aLogWithoutItsTabletIsAProblem() throws IOException {
    String gone = "f".repeat(32);
    Files.createDirectory(tablet.resolveSibling(gone));
    String group = "ffffffff-ffff-ffff-ffff-ffffffffffff";
    Path log = server.resolve("wals").resolve(group);
    Files.createDirectories(log.resolve("current"));
    assertThat(kudu("fs", "check", "--fs_wal_dir=" + server)).as("not made to the end").isZero();
    Files.createFile(log.resolve("founders"));
    assertThat(kudu("fs", "check", "--fs_wal_dir=" + server)).isOne();
    assertThat(out.toString()).contains(gone, "No superblock at");
  }

  @Test
  void listSpeaksCsvAndJson() {
    assertThat(kudu("fs", "list", "--format=csv", server)).isZero();
    assertThat(out.toString().lines())
        .hasSize(4)
        .startsWith("tablet,table,rowset,file,kind,format,rows,bytes")
        .anyMatch(line -> line.startsWith(TABLET + ",\"a \"\"table\"\", quoted\",,superblock"));
    out.getBuffer().setLength(0);
    assertThat(kudu("fs", "list", "--format=json", server)).isZero();
    assertThat(out.toString())
        .startsWith("{\"server\": {\"uuid\":\"")
        .contains(
            "\"table\":\"a \\\"table\\\", quoted\"", "\"kind\":\"REDO deltas\"", "\"rows\":3");
  }

  @Test
  void aSoundServerPassesItsCheck() throws IOException {
    assertThat(kudu("fs", "check", server)).isZero();
    assertThat(out.toString())
        .containsPattern(TABLET + " .* 1 \\| +2 \\| +3 \\| +2 \\| +1 \\| +[0-9]+ \\| sound")
        .containsPattern("1 tablets, 2 files, [0-9]+ bytes read: sound");
    assertThat(kudu("fs", "check", tablet)).isZero();
    assertThat(kudu("fs", "check", file(".base"))).isZero();
    assertThat(kudu("fs", "check", file(".redo"))).isZero();
  }

  @Test
  void corruptFilesFailTheCheckAndAreReported() throws IOException {
    flipByte(file(".base"), 40);
    assertThat(kudu("fs", "check", server)).isEqualTo(1);
    assertThat(out.toString()).contains(file(".base").toString(), "offset");
    out.getBuffer().setLength(0);
    flipByte(tablet.resolve("superblock"), 30);
    assertThat(kudu("fs", "check", server)).isEqualTo(1);
    assertThat(out.toString()).contains("wrong checksum");
    out.getBuffer().setLength(0);
    assertThat(kudu("fs", "list", server)).isZero();
    assertThat(out.toString()).containsPattern("superblock +\\| superblock +\\| broken");
  }

  @Test
  void missingFilesFailTheCheckAndAreListed() throws IOException {
    Files.delete(file(".redo"));
    assertThat(kudu("fs", "check", server)).isEqualTo(1);
    assertThat(out.toString()).contains(".redo");
    assertThat(kudu("fs", "list", server)).isZero();
    assertThat(out.toString()).containsPattern("REDO deltas +\\| missing");
  }

  @Test
  void aRunningServerIsNotChecked() {
    try (ServerFiles running = openServer()) {
      assertThat(kudu("fs", "check", running.walDirectory())).isEqualTo(1);
      assertThat(kudu("fs", "check", tablet)).isEqualTo(1);
    }
    assertThat(err.toString().lines())
        .hasSize(2)
        .allMatch(line -> line.startsWith("kudu: A server is running in " + server));
  }

  @Test
  void dumpDetectsTheKindOfAFile() throws IOException {
    assertThat(kudu("fs", "dump", server.resolve("instance"))).isZero();
    assertThat(out.toString()).contains("daemon kudu-tserver", "Raft port 7777");
    assertThat(kudu("fs", "dump", tablet)).isZero();
    assertThat(out.toString()).contains("tablet_id: \"" + TABLET);
    Path renamed = Files.move(file(".base"), server.resolve("a"));
    assertThat(kudu("fs", "dump", "--rows=2", renamed)).isZero();
    assertThat(out.toString()).contains("rows 3", "row 1: key").doesNotContain("row 2: key");
    assertThat(kudu("fs", "dump", "--rows=9", file(".redo"))).isZero();
    assertThat(out.toString()).contains("ordinal 1, timestamp 101, sequence 0: delete");
  }

  @Test
  void errorsAreOneLineWithTheNextStep() throws IOException {
    Path other = Files.writeString(server.resolve("other"), "text");
    assertThat(kudu("fs", "dump", other)).isEqualTo(1);
    assertThat(kudu("fs", "dump", server.resolve("none"))).isEqualTo(1);
    assertThat(kudu("fs", "list")).isEqualTo(1);
    assertThat(kudu("fs", "list", server.resolve("none"))).isEqualTo(1);
    assertThat(kudu("fs", "check", server.resolve("data"))).isEqualTo(1);
    assertThat(kudu("fs", "dump")).isEqualTo(2);
    assertThat(kudu("fs", "list", "--format=xml", server)).isEqualTo(2);
    assertThat(kudu("fs")).isEqualTo(2);
    assertThat(err.toString().lines()).hasSize(8).allMatch(line -> line.startsWith("kudu"));
    assertThat(err.toString())
        .contains("kudu fs list lists", "give --fs_wal_dir", "check the path", "A verb is missing");
  }

  @Test
  void everyLevelHasHelp() {
    for (String verb : List.of("list", "check", "dump")) {
      assertThat(kudu("fs", verb, "--help")).isZero();
      assertThat(out.toString()).contains("Usage: kudu fs " + verb);
    }
    assertThat(kudu("fs", "--help")).isZero();
    assertThat(kudu("--help")).isZero();
    assertThat(err.toString()).isEmpty();
  }
}
