package dev.kudu4j.tools.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.server.raft.FreePort;
import dev.kudu4j.tools.KuduRun;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The verbs of tables against servers in this JVM. */
class TableVerbsTest {
  private static final String FLIGHT_COLUMNS =
      "time_hour timestamp, carrier string, flight int32, dep_delay double nullable, tailnum string"
          + " nullable, distance int16 nullable, primary key (time_hour, carrier, flight)";

  private static EmbeddedCluster cluster;

  @TempDir private Path directory;

  @BeforeAll
  static void startCluster() {
    cluster = EmbeddedCluster.builder().start();
  }

  @AfterAll
  static void stopCluster() {
    cluster.close();
  }

  /** Runs {@code kudu table VERB MASTERS ...}. */
  private static KuduRun table(String verb, Object... rest) {
    Object[] arguments = new Object[rest.length + 3];
    arguments[0] = "table";
    arguments[1] = verb;
    arguments[2] = cluster.masterAddresses();
    System.arraycopy(rest, 0, arguments, 3, rest.length);
    return KuduRun.of(arguments);
  }

  private static String done(KuduRun run) {
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out();
  }

  private static void assertFailed(KuduRun run, String... parts) {
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).startsWith("kudu: ").hasLineCount(1).contains(parts);
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private static String rows(String name, Object... more) {
    Object[] arguments = new Object[more.length + 2];
    arguments[0] = name;
    arguments[1] = "--format=csv";
    System.arraycopy(more, 0, arguments, 2, more.length);
    return done(table("scan", arguments));
  }

  private static void createFlights(String name) {
    assertThat(
            done(
                table(
                    "create",
                    name,
                    "--columns=" + FLIGHT_COLUMNS,
                    "--hash=carrier:2",
                    "--range_columns=time_hour",
                    "--range=2013-01-01 <= VALUES < 2014-01-01",
                    "--comment=from New York")))
        .isEqualTo("Created table " + name + " (6 columns, 2 tablets, 1 replicas of each)\n");
  }

  @Test
  void importSkipsInvalidLines() throws IOException {
    createFlights("imported");
    Path csv =
        file(
            "flights.csv",
            """
            carrier,flight,time_hour,dep_delay,tailnum,distance
            UA,1545,2013-01-01T10:00:00Z,2,N14228,1400
            UA,1714,2013-01-01T10:00:00Z,NA,,NA
            UA,x,2013-01-01T10:00:00Z,2,N14228,1400
            AA,1141,2013-01-01T10:00:00Z,2,N619AA
            AA,1141,2013-01-01 10:00,2,"a ""b"",
            c",32768
            UA,1545,2013-01-01T10:00:00Z,9,again,1
            AA,1,2015-01-01T10:00:00Z,2,N14228,1400
            NA,1,2013-01-01T10:00:00Z,2,N14228,1400
            B6,725,2013-12-31T23:59:59.999999Z,-1.5,"",1576
            """);
    Path rejects = directory.resolve("rejects.csv");
    KuduRun run = table("import", "imported", csv, "--rejects=" + rejects);
    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.out()).contains("Imported 3 rows into imported", "6 bad lines were skipped");
    assertThat(run.err().lines().map(line -> line.substring(csv.toString().length())))
        .satisfiesExactly(
            line -> assertThat(line).startsWith(":4: column flight is INT32: 'x' is invalid"),
            line -> assertThat(line).isEqualTo(":5: 5 cells, but the header has 6"),
            line -> assertThat(line).startsWith(":6: column distance is INT16: '32768'"),
            line -> assertThat(line).startsWith(":10: column carrier is STRING NOT NULL (key)"),
            line -> assertThat(line).startsWith(":8: a row with key (carrier=UA, flight=1545,"),
            line -> assertThat(line).startsWith(":9: no range partition contains key"));
    assertThat(rows("imported", "--columns=carrier,flight,dep_delay,tailnum,distance").lines())
        .containsExactlyInAnyOrder(
            "carrier,flight,dep_delay,tailnum,distance",
            "UA,1545,2.0,N14228,1400",
            "UA,1714,,,",
            "B6,725,-1.5,\"\",1576");
    assertThat(Files.readString(rejects))
        .startsWith("carrier,flight,time_hour,dep_delay,tailnum,distance\nUA,x,")
        .contains("\"a \"\"b\"\",\nc\",32768\n")
        .hasLineCount(7);

    assertThat(done(table("import", "imported", csvOf("UA,1545,2013-01-01T10:00,7,,"), "--upsert")))
        .contains("Imported 1 rows");
    assertThat(rows("imported", "--where=flight = 1545", "--columns=dep_delay,tailnum"))
        .isEqualTo("dep_delay,tailnum\n7.0,\n");
    done(table("import", "imported", csvOf("UA,1545,2013-01-01T10:00,8,,"), "--insert_ignore"));
    assertThat(rows("imported", "--where=flight = 1545", "--columns=dep_delay"))
        .isEqualTo("dep_delay\n7.0\n");
  }

  private Path csvOf(String line) throws IOException {
    return file("one.csv", "carrier,flight,time_hour,dep_delay,tailnum,distance\n" + line + "\n");
  }

  @Test
  void importOfManyRowsReportsEveryBadLine() throws IOException {
    done(table("create", "many", "--columns=id int64 key, v string", "--hash=id:3"));
    StringBuilder text = new StringBuilder("id,v\n");
    for (int i = 0; i < 20_000; i++) {
      boolean repeated = i > 0 && i % 5_000 == 0;
      text.append(repeated ? i - 1 : i).append(",row ").append(i).append('\n');
    }
    Path csv = file("many.csv", text.toString());
    KuduRun run = table("import", "many", csv);
    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.out()).contains("Imported 19,997 rows");
    assertThat(run.err()).contains(":5002: ", ":10002: ", ":15002: ").hasLineCount(3);
    assertThat(done(table("scan", "many", "--row_count_only"))).isEqualTo("19997\n");
    assertThat(rows("many", "--where=id between 4999 and 5001"))
        .hasLineCount(3)
        .contains("4999,row 4999", "5001,row 5001");

    KuduRun again = table("import", "many", csv, "--max_errors=10");
    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.err()).contains("kudu: Stopped at line 11, after 10 bad lines");
    assertThat(done(table("import", "many", csv, "--upsert"))).contains("Imported 20,000 rows");
    assertThat(rows("many", "--where=id = 4999")).as("the later line wins").contains("row 5000");
  }

  @Test
  void importReadsStandardInput() {
    done(table("create", "piped", "--columns=id int64 key, v string nullable", "--hash=id:2"));
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream("1\t-\n2\tNA\n".getBytes(StandardCharsets.UTF_8)));
    try {
      assertThat(
              done(table("import", "piped", "-", "--delimiter=\\t", "--header=id,v", "--null=-")))
          .contains("Imported 2 rows");
    } finally {
      System.setIn(before);
    }
    assertThat(rows("piped").lines()).containsExactlyInAnyOrder("id,v", "1,", "2,NA");
  }

  @Test
  void importReportsErrorsOfTheWholeFile() throws IOException {
    done(table("create", "strict", "--columns=id int64 key, v string", "--hash=id:2"));
    assertFailed(table("import", "strict", directory.resolve("none.csv")), "no file", "none.csv");
    assertFailed(table("import", "strict", directory), "is a directory");
    assertFailed(table("import", "strict", file("a.csv", "id,vv\n")), "'vv'", "mean 'v'?");
    assertFailed(table("import", "strict", file("b.csv", "id\n")), "does not contain v (NOT NULL");
    assertFailed(table("import", "strict", file("c.csv", "")), "is empty");
    assertFailed(table("import", "strct", file("d.csv", "")), "did you mean 'strict'?");
    assertFailed(table("import", "strict", "x", "--upsert", "--insert_ignore"), "only one");
  }

  @Test
  void everyTypeIsImportedAndExported() throws IOException {
    String columns =
        "k int8 key, a int16 nullable, b int32 nullable, c int64 nullable, d bool nullable, e"
            + " float nullable, f double nullable, g decimal(20,3) nullable, h string nullable, i"
            + " varchar(5) nullable, j binary nullable, l date nullable, m timestamp nullable";
    done(table("create", "types", "--columns=" + columns));
    String text =
        """
        k,a,b,c,d,e,f,g,h,i,j,l,m
        1,-2,3,-4,true,1.5,-Infinity,12345678901234567.890,"x,y",abc,0x00ff,2020-02-29,1969-12-31T23:59:59.999999Z
        2,,,,,,,,,,,,
        3,0,0,0,false,NaN,1.0E-10,0.000,"","",0x,1970-01-01,2013-01-01T00:00:00.000000Z
        """;
    done(table("import", "types", file("types.csv", text)));
    assertThat(rows("types")).isEqualTo(text);
    assertThat(done(table("scan", "types", "--format=json", "--where=k=1")))
        .contains("\"g\":12345678901234567.890", "\"d\":true", "\"f\":\"-Infinity\"");
    for (String where :
        new String[] {
          "d = true",
          "e > 1.4 and e < 1.6",
          "g = 12345678901234567.89",
          "h in ('x,y', 'z')",
          "i = 'abc'",
          "j = '0x00ff'",
          "l >= 2020-02-29",
          "m <= '1969-12-31 23:59:59.999999'",
          "a is not null and a < 0"
        }) {
      assertThat(rows("types", "--columns=k", "--where=" + where)).as(where).isEqualTo("k\n1\n");
    }
    assertThat(rows("types", "--columns=k", "--where=m is null")).isEqualTo("k\n2\n");
  }

  @Test
  void scanHasLimitsCountsAndEarlierSnapshots() throws Exception {
    done(table("create", "scanned", "--columns=id int64 key, v string", "--hash=id:3"));
    done(table("import", "scanned", file("s.csv", "id,v\n1,a\n2,b\n3,c\n")));
    long between = System.currentTimeMillis() * 1000 + 1000;
    while (System.currentTimeMillis() * 1000 <= between) {
      Thread.onSpinWait();
    }
    done(table("import", "scanned", file("s2.csv", "id,v\n4,d\n")));
    assertThat(done(table("scan", "scanned", "--row_count_only"))).isEqualTo("4\n");
    assertThat(done(table("scan", "scanned", "--row_count_only", "--as_of=" + between)))
        .isEqualTo("3\n");
    assertThat(done(table("scan", "scanned", "--row_count_only", "--snapshot"))).isEqualTo("4\n");
    assertThat(rows("scanned", "--limit=2")).hasLineCount(3);
    assertThat(rows("scanned", "--limit=0")).isEqualTo("id,v\n");
    assertThat(
            rows("scanned", "-predicates=[\"AND\", [\">\", \"id\", 1], [\"IN\", \"v\", [\"b\"]]]"))
        .isEqualTo("id,v\n2,b\n");
    assertThat(table("scan", "scanned", "--columns=v", "--limit=1").err()).startsWith("1 row in");
    assertFailed(table("scan", "scanned", "--columns=w"), "no column 'w'", "id, v");
    assertFailed(table("scan", "scanned", "--where=id = 'x'"), "column id is INT64");
    assertFailed(table("scan", "scanned", "--as_of=soon"), "--as_of=soon");
    assertFailed(table("scan", "scaned"), "did you mean 'scanned'?");
  }

  @Test
  void scanReadsSamples() throws IOException {
    done(table("create", "sampled", "--columns=id int32, v int8, primary key (id)", "--hash=id:2"));
    StringBuilder lines = new StringBuilder("id,v\n");
    for (int i = 0; i < 3000; i++) {
      lines.append(i).append(',').append(i % 5).append('\n');
    }
    done(table("import", "sampled", file("sampled.csv", lines.toString())));

    List<String> sample = rows("sampled", "--sample=0.1").lines().sorted().toList();
    assertThat(sample).hasSizeBetween(200, 400).contains("id,v");
    assertThat(rows("sampled", "--sample", "0.1", "--seed", "0").lines().sorted().toList())
        .isEqualTo(sample);
    assertThat(rows("sampled", "--sample=0.1", "--seed=-7").lines().sorted().toList())
        .isNotEqualTo(sample);
    List<String> ones = sample.stream().filter(line -> line.endsWith(",1")).toList();
    assertThat(rows("sampled", "--sample=0.1", "--where=v = 1").lines().skip(1))
        .containsExactlyInAnyOrderElementsOf(ones);
    assertThat(rows("sampled", "--sample=0.1", "--where=v = 1", "--aggregate=count(*) AS n"))
        .isEqualTo("n\n" + ones.size() + "\n");
    assertThat(done(table("scan", "sampled", "--sample=0.1", "--row_count_only")))
        .isEqualTo(sample.size() - 1 + "\n");
    assertThat(done(table("scan", "sampled", "--sample=1", "--row_count_only")))
        .isEqualTo("3000\n");

    assertFailed(table("scan", "sampled", "--sample=10"), "--sample=10.0: must be from 0 to 1");
    assertFailed(table("scan", "sampled", "--sample=NaN"), "--sample=NaN: must be from 0 to 1");
    assertFailed(table("scan", "sampled", "--seed=7"), "--seed needs a sample; add --sample");
    assertThat(KuduRun.of("table", "scan", "--help").out()).contains("--sample=FRACTION", "--seed");
  }

  @Test
  void listShowsTablesAndTablets() {
    createFlights("listed.one");
    done(table("create", "listed.two", "--columns=id int64 key"));
    assertThat(done(table("list", "--tables=listed.*", "--columns=name,num_tablets,num_replicas")))
        .isEqualTo(
            """
                name    | num_tablets | num_replicas
            ------------+-------------+--------------
             listed.one |           2 |            1
             listed.two |           1 |            1
            """);
    assertThat(done(table("list", "--tables=listed.two", "--format=json")))
        .matches("\\[\\{\"name\":\"listed.two\",\"id\":\"[0-9a-f]{32}\",\"num_tablets\":1.*}]\n");
    assertThat(done(table("list", "-list_tablets", "--tables=listed.one")))
        .startsWith("listed.one\n")
        .containsPattern(
            "  T [0-9a-f]{32} : HASH \\(carrier\\) PARTITION 0, RANGE \\(time_hour\\) PARTITION"
                + " 2013-01-01T")
        .containsPattern("    L [0-9a-f]{32} 127.0.0.1:\\d+\n");
    assertThat(done(table("list", "--list-tablets", "--tables=listed.one", "--format=csv")))
        .startsWith("table,tablet,partition,server,address,role\n")
        .hasLineCount(3);
    assertFailed(table("list", "--tables=nothing"), "matches nothing");
  }

  @Test
  void describeOutputIsAcceptedByCreate() throws IOException {
    createFlights("described");
    String text = done(table("describe", "described"));
    assertThat(text)
        .isEqualTo(
            """
            TABLE described (
                time_hour UNIXTIME_MICROS NOT NULL,
                carrier STRING NOT NULL,
                flight INT32 NOT NULL,
                dep_delay DOUBLE NULLABLE,
                tailnum STRING NULLABLE,
                distance INT16 NULLABLE,
                PRIMARY KEY (time_hour, carrier, flight)
            )
            HASH (carrier) PARTITIONS 2,
            RANGE (time_hour) (
                PARTITION 2013-01-01T00:00:00.000000Z <= VALUES < 2014-01-01T00:00:00.000000Z
            )
            OWNER %s
            REPLICAS 1
            COMMENT from New York
            """
                .formatted(System.getProperty("user.name")));
    assertThat(done(table("describe", "described", "-show_attributes", "-show_column_id")))
        .contains("0:time_hour UNIXTIME_MICROS NOT NULL AUTO_ENCODING DEFAULT_COMPRESSION - -,");
    String json = done(table("describe", "described", "--format=json"));
    Path file = file("described.json", json.replace("\"described\"", "\"again\""));
    done(table("create", file));
    assertThat(done(table("describe", "again"))).isEqualTo(text.replace("described", "again"));
    assertThat(done(table("create", file, "--if_not_exists"))).contains("already exists");
    assertFailed(table("create", file), "already exists");
    assertFailed(table("describe", "agan"), "There is no table 'agan'", "did you mean 'again'?");
  }

  @Test
  void columnsMayBeWithoutTimeZone() throws IOException {
    done(
        table(
            "create",
            "local_times",
            "--columns=at timestamp without time zone key, v timestamp without time zone nullable"
                + " default '2024-03-10 02:30:00'",
            "--range_columns=at",
            "--range=VALUES < 2024-03-10"));
    String text = done(table("describe", "local_times"));
    assertThat(text)
        .contains(
            "at UNIXTIME_MICROS WITHOUT TIME ZONE NOT NULL,",
            "v UNIXTIME_MICROS WITHOUT TIME ZONE NULLABLE,",
            "PARTITION VALUES < 2024-03-10T00:00:00.000000\n");
    String json = done(table("describe", "local_times", "--format=json"));
    assertThat(json).contains("\"is_without_time_zone\"");
    done(table("create", file("local.json", json.replace("\"local_times\"", "\"local_again\""))));
    assertThat(done(table("describe", "local_again")))
        .isEqualTo(text.replace("local_times", "local_again"));
  }

  @Test
  void tablesAreChanged() {
    done(
        table(
            "create",
            "changed",
            "--columns=id int64 key, v string",
            "--range_columns=id",
            "--range=0 <= VALUES < 10"));
    done(table("add_column", "changed", "note string nullable default 'x' comment 'new'"));
    done(table("add_column", "changed", "more", "DECIMAL(5,2)"));
    assertFailed(table("add_column", "changed", "bad int32"), "NULLABLE or have a DEFAULT");
    assertFailed(
        table("add_column", "changed", "note int32 nullable"), "already has a column note");
    done(table("rename_column", "changed", "note", "remark"));
    done(table("delete_column", "changed", "v"));
    assertFailed(table("delete_column", "changed", "w"), "There is no column 'w'");
    done(table("add_range_partition", "changed", "10 <= VALUES < 20"));
    done(table("add_range_partition", "changed", "[20]", "[30]"));
    assertFailed(table("add_range_partition", "changed", "15 <= VALUES < 25"), "conflict");
    done(table("drop_range_partition", "changed", "0 <= VALUES < 10"));
    assertFailed(table("drop_range_partition", "changed", "0 <= VALUES < 10"), "no range");
    done(table("rename_table", "changed", "changed2"));
    assertThat(done(table("describe", "changed2")))
        .contains(
            "    remark STRING NULLABLE,\n    more DECIMAL(5, 2) NULLABLE,\n",
            "RANGE (id) (\n    PARTITION 10 <= VALUES < 20,\n    PARTITION 20 <= VALUES < 30\n)")
        .doesNotContain(" v STRING");
    assertThat(done(table("statistics", "changed2")))
        .startsWith("TABLE changed2\non disk size: ")
        .contains("live row count: ");
    done(table("delete", "changed2"));
    assertFailed(table("delete", "changed2"), "There is no table 'changed2'");
    done(table("delete", "changed2", "--if_exists"));
  }

  @Test
  void createReportsTheInvalidPart() {
    assertFailed(table("create", "x"), "needs --columns");
    assertFailed(table("create", "x", "--columns=id int65 key"), "Unknown type 'int65'");
    assertFailed(table("create", "x", "--columns=id int64"), "has no key");
    assertFailed(
        table("create", "x", "--columns=id int64 key, v int8", "--hash=v:2"), "is not a key");
    assertFailed(table("create", "x", "--columns=id int64 key", "--hash=id"), "--hash=id");
    assertFailed(table("create", "x", "--columns=id int64 key", "--replicas=2"), "odd");
    assertFailed(table("create", "x", "--columns=id int64 key", "--replicas=3"), "replica");
    assertFailed(table("create", "{\"table_name\": 5}"), "table_name is 5");
  }

  @Test
  @Timeout(50) // less than the time-out of a request
  void aMissingMasterIsReportedSoon() throws IOException {
    int port = FreePort.find(InetAddress.getLoopbackAddress(), new Random());
    assertFailed(
        KuduRun.of("table", "list", "127.0.0.1:" + port),
        "No master responds at 127.0.0.1:" + port + " (connection refused)");
    assertFailed(KuduRun.of("table", "list", "no-such-host.invalid"), "unknown host");
    assertFailed(KuduRun.of("table", "list", "a b"), "is not the address of a master");
    assertFailed(KuduRun.of("table", "describe", cluster.masterAddresses()), "TABLE is missing");
  }

  @Test
  void everyVerbHasHelpWithExamples() {
    assertThat(KuduRun.of("table").exitCode()).isEqualTo(2);
    assertThat(KuduRun.of("table", "nope").exitCode()).isEqualTo(2);
    assertThat(KuduRun.of("table", "list", "--nope").err()).contains("Unknown option: '--nope'");
    for (String verb :
        new String[] {
          "list",
          "describe",
          "create",
          "scan",
          "import",
          "statistics",
          "rename_table",
          "add_column",
          "delete_column",
          "rename_column",
          "column_set_default",
          "column_remove_default",
          "column_set_compression",
          "column_set_encoding",
          "column_set_block_size",
          "column_set_comment",
          "set_comment",
          "clear_comment",
          "set_extra_config",
          "get_extra_configs",
          "set_replication_factor",
          "locate_row",
          "copy",
          "recall",
          "add_range_partition",
          "drop_range_partition",
          "delete"
        }) {
      KuduRun help = KuduRun.of("table", verb, "--help");
      assertThat(done(help))
          .contains("Usage: kudu table " + verb, "[MASTERS]", "Examples:", "  kudu table " + verb);
    }
  }
}
