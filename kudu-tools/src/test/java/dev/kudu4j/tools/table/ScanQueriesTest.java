package dev.kudu4j.tools.table;

import static java.util.Comparator.comparing;
import static java.util.Comparator.naturalOrder;
import static java.util.Comparator.nullsFirst;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.tools.KuduRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kudu table scan} with orders and aggregates, against servers in this JVM. */
class ScanQueriesTest {
  private static final int ROWS = 200;
  private static final List<Sale> SALES = IntStream.range(0, ROWS).mapToObj(Sale::of).toList();

  @TempDir private static Path directory;

  private static EmbeddedCluster cluster;

  /**
   * A row of the table.
   *
   * @param amount null in a tenth of the rows
   */
  private record Sale(int id, String region, Integer amount, int day) {
    static Sale of(int id) {
      Integer amount = id % 10 == 9 ? null : id % 7;
      return new Sale(id, List.of("north", "south", "east", "west").get(id % 4), amount, id % 28);
    }

    String csv() {
      return id + "," + region + "," + Objects.toString(amount, "") + "," + day;
    }
  }

  @BeforeAll
  static void load() throws IOException {
    cluster = EmbeddedCluster.builder().start();
    String columns = "id int64 key, region string, amount int32 nullable, day int8";
    done(run("create", "--columns=" + columns, "--hash=id:3"));
    List<String> lines = new ArrayList<>(List.of("id,region,amount,day"));
    SALES.forEach(sale -> lines.add(sale.csv()));
    done(run("import", Files.write(directory.resolve("sales.csv"), lines)));
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

  private static String done(KuduRun run) {
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out();
  }

  /** The lines of a scan. */
  private static List<String> scan(String... options) {
    List<Object> arguments = new ArrayList<>(List.of("--format=csv"));
    arguments.addAll(List.of(options));
    return done(run("scan", arguments.toArray())).lines().toList();
  }

  /** A usage error is one line, with the error and what the user can do. */
  private static void refused(String message, String... options) {
    KuduRun run = run("scan", (Object[]) options);
    assertThat(run.exitCode()).as(run.out()).isEqualTo(1);
    assertThat(run.err()).startsWith("kudu: ").hasLineCount(1).contains(message);
    assertThat(run.out()).isEmpty();
  }

  // ---------------------------------------------------------------- orders of rows

  private static List<String> expected(Comparator<Sale> order, int offset, int limit) {
    List<String> lines = new ArrayList<>(List.of("id,region,amount,day"));
    SALES.stream().sorted(order).skip(offset).limit(limit).map(Sale::csv).forEach(lines::add);
    return lines;
  }

  @Test
  void rowsComeInTheOrder() {
    Comparator<Sale> amount = comparing(Sale::amount, nullsFirst(naturalOrder()));
    assertThat(scan("--order_by=amount DESC, id", "--limit=50"))
        .isEqualTo(expected(amount.reversed().thenComparing(Sale::id), 0, 50));
    assertThat(scan("--order_by=amount, region desc, id", "--limit=30", "--offset=7"))
        .isEqualTo(
            expected(
                amount.thenComparing(comparing(Sale::region).reversed()).thenComparing(Sale::id),
                7,
                30));
    assertThat(scan("--order_by=day desc, id", "--limit=2", "--columns=id"))
        .as("the order needs no column of the result")
        .containsExactly("id", "27", "55");
    assertThat(scan("--order_by=id desc", "--limit=2", "--where=region = 'east'", "--columns=id"))
        .containsExactly("id", "198", "194");
  }

  @Test
  void offsetsReachBeyondTheEnd() {
    Comparator<Sale> byId = comparing(Sale::id);
    assertThat(scan("--order_by=id", "--limit=5", "--offset=198"))
        .isEqualTo(expected(byId, 198, 5))
        .hasSize(3);
    assertThat(scan("--order_by=id", "--limit=5", "--offset=200")).hasSize(1);
    assertThat(scan("--order_by=id", "--limit=5", "--offset=5000")).hasSize(1);
    assertThat(run("scan", "--order_by=id", "--limit=5", "--offset=5000").err())
        .startsWith("0 rows in");
    assertThat(scan("--order_by=id", "--limit=0")).hasSize(1);
    assertThat(scan("--order_by=id", "--limit=1000")).hasSize(1 + ROWS);
  }

  @Test
  void wrongOrdersAreRefused() {
    refused(
        "There is no column 'amuont'; did you mean 'amount'?", "--order_by=amuont", "--limit=3");
    refused("--order_by of rows needs a number of rows; add --limit", "--order_by=id");
    refused("--offset needs an order; add --order_by", "--limit=3", "--offset=1");
    refused("--offset=-1: must be 0 or more", "--order_by=id", "--limit=3", "--offset=-1");
    refused("--limit=-3: must be 0 or more", "--order_by=id", "--limit=-3");
    refused("--limit=-1: must be 0 or more", "--limit=-1");
    refused("orders at most 1048576 rows", "--order_by=id", "--limit=1048577");
    refused("lower --limit", "--order_by=id", "--limit=1048576", "--offset=1");
    refused("'NULLS' at character 9, expected", "--order_by=id DESC NULLS LAST", "--limit=3");
    refused("the text ends at character 4", "--order_by=id,", "--limit=3");
    refused(
        "cannot be combined with --row_count_only",
        "--order_by=id",
        "--limit=1",
        "--row_count_only");
  }

  // ---------------------------------------------------------------- aggregates

  /** The region, its number of different amounts, and the sum of its amounts. */
  private static List<String> regions() {
    return new TreeMap<>(SALES.stream().collect(groupingBy(Sale::region)))
        .entrySet().stream()
            .map(
                region -> {
                  List<Integer> amounts =
                      region.getValue().stream()
                          .map(Sale::amount)
                          .filter(Objects::nonNull)
                          .toList();
                  long distinct = amounts.stream().distinct().count();
                  int sum = amounts.stream().mapToInt(amount -> amount).sum();
                  return region.getKey() + "," + distinct + "," + sum;
                })
            .toList();
  }

  @Test
  void groupsHaveDistinctCountsAndSums() {
    List<String> lines =
        scan(
            "--aggregate=count(distinct amount), sum(amount)",
            "--group_by=region",
            "--order_by=region");
    assertThat(lines.get(0)).isEqualTo("region,count(distinct amount),sum(amount)");
    assertThat(lines.subList(1, lines.size())).isEqualTo(regions());
    assertThat(scan("--aggregate=count(distinct region), count(amount), count(*), max(id)"))
        .containsExactly("count(distinct region),count(amount),count(*),max(id)", "4,180,200,199");
    assertThat(scan("--aggregate=approx_count_distinct(region) as regions, count(*)"))
        .containsExactly("regions,count(*)", "4,200");
    assertThat(scan("--aggregate=count(*), max(day)", "--where=id < 0"))
        .containsExactly("count(*),max(day)", "0,");
    assertThat(scan("--aggregate=count(*)", "--group_by=region", "--where=id < 0")).hasSize(1);
  }

  @Test
  void groupsAreOrderedByAggregates() {
    Comparator<String> bySum =
        comparing((String line) -> Integer.valueOf(line.substring(line.lastIndexOf(',') + 1)));
    List<String> largest = regions().stream().sorted(bySum.reversed()).limit(2).toList();
    for (String order : List.of("sum(0 + amount) desc", "\"sum(0 + amount)\" DESC")) {
      List<String> lines =
          scan(
              "--aggregate=count(distinct amount), sum(0 + amount)",
              "--group_by=region",
              "--order_by=" + order,
              "--limit=2");
      assertThat(lines.subList(1, lines.size())).isEqualTo(largest);
    }
    assertThat(
            scan(
                "--aggregate=count(distinct day) AS days",
                "--group_by=amount",
                "--order_by=days desc, amount",
                "--limit=1"))
        .containsExactly("amount,days", ",14");
    assertThat(scan("--aggregate=count(*)", "--group_by=region", "--limit=0")).hasSize(1);
  }

  @Test
  void wrongAggregatesAreRefused() {
    refused("There is no column 'amuont'; did you mean 'amount'?", "--aggregate=sum(amuont)");
    refused("There is no column 'x'", "--aggregate=count(distinct x)");
    refused("There is no column 'x'", "--aggregate=count(*)", "--group_by=x");
    refused("Column region STRING NOT NULL does not", "--aggregate=sum(region)");
    refused("'median' at character 1", "--aggregate=median(day)");
    refused("',' at character 19, expected ')'", "--aggregate=count(distinct day, id)");
    refused(
        "The result has no column total to order by; its columns are region, count(*)",
        "--aggregate=count(*)",
        "--group_by=region",
        "--order_by=total");
    refused(
        "Two columns of the result are called count(*); name an aggregate with AS",
        "--aggregate=count(*), count(*)");
    refused("called region;", "--aggregate=count(*) AS region", "--group_by=region");
    refused("called region;", "--group_by=region, region");
    refused("--limit=-2: must", "--aggregate=count(*)", "--group_by=region", "--limit=-2");
    refused("cannot be combined with", "--aggregate=count(*)", "--order_by=count(*)", "--offset=1");
  }
}
