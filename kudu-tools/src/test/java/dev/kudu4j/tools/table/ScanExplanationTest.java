package dev.kudu4j.tools.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.tools.KuduRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kudu table scan --explain} on a table with 200 rows in memory. */
class ScanExplanationTest {
  private static final int ROWS = 200;
  private static final int TABLETS = 3;

  @TempDir private static Path directory;

  private static EmbeddedCluster cluster;

  @BeforeAll
  static void load() throws IOException {
    cluster = EmbeddedCluster.builder().tabletServers(1).start();
    String columns = "id int64 key, region string, amount int32";
    assertDone(run("create", "--columns=" + columns, "--hash=id:" + TABLETS, "--replicas=1"));
    List<String> lines = new ArrayList<>(List.of("id,region,amount"));
    for (int i = 0; i < ROWS; i++) {
      lines.add(i + "," + List.of("north", "south", "east", "west").get(i % 4) + "," + i % 7);
    }
    assertDone(run("import", Files.write(directory.resolve("sales.csv"), lines)));
  }

  @AfterAll
  static void stopCluster() {
    cluster.close();
  }

  private static KuduRun run(String verb, Object... rest) {
    List<Object> arguments =
        new ArrayList<>(List.of("table", verb, cluster.masterAddresses(), "sales"));
    arguments.addAll(List.of(rest));
    return KuduRun.of(arguments.toArray());
  }

  private static void assertDone(KuduRun run) {
    assertThat(run.exitCode()).as(run.err()).isZero();
  }

  /** The lines of an explanation as CSV: titles, tablets, and the sum. */
  private record Explanation(List<List<String>> lines, String notes) {
    static Explanation of(String... options) {
      List<Object> arguments = new ArrayList<>(List.of("--explain", "--format=csv"));
      arguments.addAll(List.of(options));
      KuduRun run = run("scan", arguments.toArray());
      assertDone(run);
      return new Explanation(
          run.out().lines().map(line -> Arrays.asList(line.split(",", -1))).toList(), run.err());
    }

    int tablets() {
      return lines.size() - 2;
    }

    /** The number of a line; line 0 is the first tablet. */
    long number(int line, String column) {
      return Long.parseLong(lines.get(1 + line).get(lines.get(0).indexOf(column)));
    }

    /** The number in the last line, which must be the sum of the others. */
    long sum(String column) {
      long sum = 0;
      for (int i = 0; i < tablets(); i++) {
        sum += number(i, column);
      }
      assertThat(lines.get(lines.size() - 1).get(0)).isEqualTo("*");
      assertThat(number(tablets(), column)).as(column).isEqualTo(sum);
      return sum;
    }
  }

  @Test
  void rowsThatWereVisitedMatchedAndReturned() {
    Explanation all = Explanation.of();
    assertThat(all.tablets()).isEqualTo(TABLETS);
    assertThat(all.lines().get(1).get(0)).hasSize(32);
    assertThat(all.lines().get(1).get(1)).startsWith("127.");
    assertThat(all.sum("visited")).isEqualTo(ROWS);
    assertThat(all.sum("matched")).isEqualTo(ROWS);
    assertThat(all.sum("returned")).isEqualTo(ROWS);
    assertThat(all.sum("in_memory")).isEqualTo(TABLETS);
    assertThat(all.sum("cells_decoded")).isEqualTo(3 * ROWS);
    assertThat(all.sum("rowsets")).isZero();
    assertThat(all.notes()).contains("3 of 3 tablets read\n").contains("200 rows in");
    Explanation east = Explanation.of("--where=region = 'east'", "--columns=id");
    assertThat(east.sum("visited")).isEqualTo(ROWS);
    assertThat(east.sum("matched")).isEqualTo(ROWS / 4);
    assertThat(east.sum("returned")).isEqualTo(ROWS / 4);
    assertThat(Explanation.of("--row_count_only").sum("returned")).isEqualTo(ROWS);
  }

  @Test
  void partitionsExcludeTablets() {
    Explanation one = Explanation.of("--where=id = 7");
    assertThat(one.tablets()).isEqualTo(1);
    assertThat(one.sum("visited")).isEqualTo(1);
    assertThat(one.notes()).contains("1 of 3 tablets read; partitions exclude the others");
  }

  @Test
  void aggregatesAndOrdersAreExplained() {
    Explanation groups = Explanation.of("--aggregate=sum(amount)", "--group_by=region");
    assertThat(groups.sum("visited")).isEqualTo(ROWS);
    assertThat(groups.sum("matched")).isEqualTo(ROWS);
    assertThat(groups.sum("returned")).isEqualTo(4 * TABLETS);
    assertThat(groups.notes()).contains("4 groups in");
    Explanation first = Explanation.of("--order_by=amount desc, id", "--limit=5");
    assertThat(first.sum("matched")).isEqualTo(ROWS);
    assertThat(first.sum("returned")).isEqualTo(5 * TABLETS);
    assertThat(first.notes()).contains("5 rows in");
    assertThat(Explanation.of("--limit=0").tablets()).isZero();
  }

  @Test
  void thePrettyFormatListsTheSumBelow() {
    KuduRun run = run("scan", "--explain", "--where=amount > 3");
    assertDone(run);
    List<String> lines = run.out().lines().toList();
    assertThat(lines.get(0)).contains("tablet", "server", "rowsets", "pages", "returned", "ms");
    assertThat(lines).anyMatch(line -> line.matches(" *\\* +\\|.*"));
    assertThat(lines)
        .anyMatch(line -> line.matches(" *cells_decoded +\\| +\\d+ \\| or copied .*"))
        .anyMatch(line -> line.matches(" *matched +\\| +84 \\| rows that satisfy .*"));
  }
}
