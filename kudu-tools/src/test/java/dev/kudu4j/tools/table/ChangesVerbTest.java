package dev.kudu4j.tools.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.tools.KuduRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kudu table changes}, against servers in this JVM. */
class ChangesVerbTest {
  @TempDir private static Path directory;

  private static EmbeddedCluster cluster;

  @BeforeAll
  static void start() {
    cluster = EmbeddedCluster.builder().start();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static KuduRun run(String verb, String table, Object... rest) {
    List<Object> arguments =
        new ArrayList<>(List.of("table", verb, cluster.masterAddresses(), table));
    arguments.addAll(List.of(rest));
    return KuduRun.of(arguments.toArray());
  }

  private static String done(KuduRun run) {
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out();
  }

  private static void write(String table, String... lines) throws IOException {
    List<String> csv = new ArrayList<>(List.of("id,name"));
    csv.addAll(List.of(lines));
    done(run("import", table, Files.write(directory.resolve(table + ".csv"), csv), "--upsert"));
  }

  private static void create(String table) {
    done(run("create", table, "--columns=id int64 key, name string nullable", "--hash=id:2"));
  }

  @Test
  void changesAreShownInEachFormat() throws IOException {
    create("shown");
    write("shown", "1,Ada");
    write("shown", "1,\"Ada\tL.\"");
    assertThat(done(run("changes", "shown")).lines())
        .satisfiesExactly(
            line -> assertThat(line).matches("2\\S+Z INSERT \\(id=1\\) name=Ada"),
            line -> assertThat(line).endsWith("UPDATE (id=1) name=Ada -> Ada\\tL."));
    assertThat(done(run("changes", "shown", "--format=json")).lines().skip(1))
        .singleElement()
        .asString()
        .startsWith("{\"type\":\"UPDATE\",\"time\":\"")
        .endsWith(
            "\"before\":{\"id\":1,\"name\":\"Ada\"},\"after\":{\"id\":1,\"name\":\"Ada\\tL.\"}}");
    assertThat(done(run("changes", "shown", "--format=debezium")).lines().findFirst().orElseThrow())
        .startsWith("{\"before\":null,\"after\":{\"id\":1,\"name\":\"Ada\"},\"source\":{")
        .contains("\"table\":\"shown\"", "\"op\":\"c\"");
    assertThat(done(run("changes", "shown", "--columns=id")).lines())
        .as("only the key, which an update does not change")
        .hasSize(1);
    assertThat(done(run("changes", "shown", "--from=now"))).isEmpty();
  }

  @Test
  void aPositionIsWhereTheLastCommandEnded() throws IOException {
    create("resumed");
    write("resumed", "1,one");
    Path file = directory.resolve("position");
    assertThat(done(run("changes", "resumed", "--position_file=" + file)).lines()).hasSize(1);
    write("resumed", "2,two");
    KuduRun second = run("changes", "resumed", "--position_file=" + file);
    assertThat(done(second)).contains("(id=2)").doesNotContain("(id=1)");
    String position = second.err().strip().replaceAll("(?s).* position ", "");
    assertThat(position).isEqualTo(Files.readString(file));
    write("resumed", "3,three");
    assertThat(done(run("changes", "resumed", "--from=" + position)).lines()).hasSize(1);
    KuduRun both = run("changes", "resumed", "--position_file=" + file, "--from=now");
    assertThat(both.exitCode()).isEqualTo(1);
    assertThat(both.err()).contains("has a position");
  }

  @Test
  void wrongPlacesAreRefused() throws IOException {
    create("refused");
    for (String where : List.of("yesterday", "AAAA", "")) {
      KuduRun run = run("changes", "refused", "--from=" + where);
      assertThat(run.exitCode()).as(where).isEqualTo(1);
      assertThat(run.err()).startsWith("kudu: ").hasLineCount(1).contains("beginning, now");
    }
    KuduRun unknown = run("changes", "nobody");
    assertThat(unknown.exitCode()).isEqualTo(1);
    assertThat(unknown.err()).contains("nobody");
  }
}
