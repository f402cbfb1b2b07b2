package dev.kudu4j.tools.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.tools.KuduRun;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The verbs that change, find, copy and recall tables, against servers in this JVM. */
class TableChangeVerbsTest {
  private static EmbeddedCluster cluster;

  @BeforeAll
  static void startCluster() {
    cluster = EmbeddedCluster.builder().tabletServers(3).replicationFactor(1).start();
  }

  @AfterAll
  static void stopCluster() {
    cluster.close();
  }

  /** Runs {@code kudu table VERB ...}; replaces the argument MASTERS by the cluster's masters. */
  private static KuduRun table(Object... arguments) {
    Object[] all = new Object[arguments.length + 1];
    all[0] = "table";
    for (int i = 0; i < arguments.length; i++) {
      all[i + 1] = arguments[i].equals("MASTERS") ? cluster.masterAddresses() : arguments[i];
    }
    return KuduRun.of(all);
  }

  private static String done(Object... arguments) {
    KuduRun run = table(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out();
  }

  private static String error(Object... arguments) {
    KuduRun run = table(arguments);
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).startsWith("kudu: ").hasLineCount(1);
    return run.err().strip();
  }

  private static void create(String name, String columns, Object... more) {
    Object[] arguments = new Object[more.length + 4];
    arguments[0] = "create";
    arguments[1] = "MASTERS";
    arguments[2] = name;
    arguments[3] = "--columns=" + columns;
    System.arraycopy(more, 0, arguments, 4, more.length);
    done(arguments);
  }

  private static String describe(String name) {
    return done("describe", "MASTERS", name, "--show_attributes", "--show_column_comment");
  }

  @Test
  void attributesOfAColumnAreChanged() {
    create("attributes", "id int64 key, v string nullable, n int32 nullable");
    assertThat(done("column_set_encoding", "MASTERS", "attributes", "v", "DICT_ENCODING"))
        .isEqualTo("Column v of table attributes has encoding DICT_ENCODING now\n");
    assertThat(done("column_set_compression", "MASTERS", "attributes", "v", "lz4"))
        .isEqualTo("Column v of table attributes has compression LZ4 now\n");
    done("column_set_comment", "MASTERS", "attributes", "v", "a note");
    done("column_set_block_size", "MASTERS", "attributes", "v", "65536");
    assertThat(describe("attributes"))
        .contains("    v STRING NULLABLE DICT_ENCODING LZ4 - - a note,\n");
    assertThat(done("describe", "MASTERS", "attributes", "--format=json"))
        .contains("\"cfile_block_size\" : 65536");
    done("column_set_comment", "MASTERS", "attributes", "v", "");
    assertThat(describe("attributes")).doesNotContain("a note");

    assertThat(error("column_set_encoding", "MASTERS", "attributes", "n", "PREFIX_ENCODING"))
        .contains("PREFIX");
    assertThat(error("column_set_encoding", "MASTERS", "attributes", "n", "fast"))
        .contains("Unknown encoding 'fast'");
    assertThat(error("column_set_compression", "MASTERS", "attributes", "n", "gzip"))
        .contains("Unknown compression 'gzip'");
    assertThat(error("column_set_block_size", "MASTERS", "attributes", "n", "-1"))
        .contains("BYTES is '-1'");
    assertThat(error("column_set_comment", "MASTERS", "attributes", "w", "x"))
        .contains("There is no column 'w'");
  }

  @Test
  void aColumnIsAddedWithItsAttributesAsFlags() {
    create("grown", "id int64 key");
    done(
        "add_column",
        "MASTERS",
        "grown",
        "v",
        "STRING",
        "-encoding_type=DICT_ENCODING",
        "-compression_type=LZ4",
        "-default_value=[\"abcd\"]",
        "-comment=hello");
    assertThat(describe("grown"))
        .contains("    v STRING NULLABLE DICT_ENCODING LZ4 \"abcd\" \"abcd\" hello,\n");
    assertThat(error("add_column", "MASTERS", "grown", "n", "INT32", "--default_value=[\"x\"]"))
        .contains("--default_value: column n is INT32");
    assertThat(error("add_column", "MASTERS", "grown", "n int32 nullable", "--comment=x"))
        .contains("only for the form NAME TYPE");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "int8 [-3] -3",
        "int16 [300] 300",
        "int32 [5] 5",
        "int64 [-5] -5",
        "bool [true] true",
        "float [1.5] 1.5",
        "double [-2.25] -2.25",
        "decimal(5,2) [1.5] 1.50",
        "decimal(12,2) [1.5] 1.50",
        "decimal(30,2) [\"-1.5\"] -1.50",
        "string [\"x\"] x",
        "varchar(3) [\"abc\"] abc",
        "binary [\"0x00ff\"] 0x00ff",
        "date [\"2020-02-29\"] 2020-02-29",
        "date [1] 1970-01-02",
        "timestamp [1000000] 1970-01-01T00:00:01.000000Z"
      })
  void aDefaultIsStoredWhereAnInsertLeavesTheColumnOut(String typeAndValue) throws Exception {
    List<String> words = List.of(typeAndValue.split(" "));
    String name = "default_" + Integer.toHexString(typeAndValue.hashCode());
    create(name, "id int64 key, v " + words.get(0) + " nullable");
    done("column_set_default", "MASTERS", name, "v", words.get(1));
    Rows.insert(cluster, name, 1);
    done("column_remove_default", "MASTERS", name, "v");
    Rows.insert(cluster, name, 2);
    assertThat(done("scan", "MASTERS", name, "--format=csv").lines())
        .containsExactlyInAnyOrder("id,v", "1," + words.get(2), "2,");
  }

  @Test
  void aDefaultThatDoesNotFitNamesTheColumn() {
    create("misfit", "id int64 key, n int32 nullable, s varchar(2) nullable");
    assertThat(error("column_set_default", "MASTERS", "misfit", "n", "[\"5\"]"))
        .isEqualTo("kudu: VALUE: column n is INT32: \"5\" is invalid; it must be an integer");
    assertThat(error("column_set_default", "MASTERS", "misfit", "n", "[null]"))
        .contains("column n is INT32: null is invalid");
    assertThat(error("column_set_default", "MASTERS", "misfit", "n", "[5, 6]"))
        .isEqualTo("kudu: VALUE has 2 values; it must have 1: n INT32");
    assertThat(error("column_set_default", "MASTERS", "misfit", "n", "5"))
        .contains("VALUE is 5; it must be a JSON array with a value for each column: n INT32");
    assertThat(error("column_set_default", "MASTERS", "misfit", "s", "[\"abc\"]"))
        .contains("column s is VARCHAR(2)");
    assertThat(error("column_set_default", "MASTERS", "misfit", "n", "[5"))
        .contains("VALUE is not valid JSON");
  }

  @Test
  void propertiesOfATableAreChanged() {
    create("properties", "id int64 key");
    done("set_comment", "MASTERS", "properties", "from New York");
    assertThat(describe("properties")).contains("COMMENT from New York\n");
    done("clear_comment", "MASTERS", "properties");
    assertThat(describe("properties")).contains("COMMENT \n").doesNotContain("New York");

    String age = "kudu.table.history_max_age_sec";
    assertThat(done("set_extra_config", "MASTERS", "properties", age, "3600"))
        .isEqualTo("Table properties has " + age + "=3600 now\n");
    done("set_extra_config", "MASTERS", "properties", "kudu.table.maintenance_priority", "2");
    assertThat(done("get_extra_configs", "MASTERS", "properties", "--config_names=" + age))
        .isEqualTo(
            """
                     Configuration          | Value
            --------------------------------+-------
             kudu.table.history_max_age_sec | 3600
            """);
    assertThat(done("get_extra_configs", "MASTERS", "properties", "--format=space"))
        .hasLineCount(2);
    done("set_extra_config", "MASTERS", "properties", age, "");
    assertThat(done("get_extra_configs", "MASTERS", "properties")).doesNotContain(age);
    assertThat(error("set_extra_config", "MASTERS", "properties", "age", "1"))
        .contains("invalid extra configuration property: age", age);
    assertThat(error("get_extra_configs", "MASTERS", "property"))
        .contains("There is no table 'property'");
  }

  @Test
  void theReplicationFactorIsChanged() {
    create("replicated", "id int64 key", "--replicas=1");
    assertThat(done("set_replication_factor", "MASTERS", "replicated", "3"))
        .isEqualTo("Table replicated has replication factor 3 now\n");
    assertThat(describe("replicated")).contains("REPLICAS 3\n");
    assertThat(error("set_replication_factor", "MASTERS", "replicated", "5")).contains("5");
    assertThat(error("set_replication_factor", "MASTERS", "replicated", "2")).contains("odd");
    assertThat(error("set_replication_factor", "MASTERS", "replicated", "many"))
        .contains("REPLICAS is 'many'");
  }

  @Test
  void limitsAreRefusedSinceOurMastersEnforceNone() {
    create("limited", "id int64 key");
    assertThat(error("set_limit", "disk_size", "MASTERS", "limited", "1000000"))
        .contains("do not support the limit disk size of table limited", "not enforced");
    assertThat(error("set_limit", "row_count", "MASTERS", "limited", "unlimited"))
        .contains("do not support the limit row count of table limited", "not enforced");
    assertThat(error("set_limit", "row_count", "MASTERS", "limited", "few"))
        .contains("LIMIT is 'few'");
    assertThat(table("set_limit", "rows").exitCode()).isEqualTo(2);
  }

  @Test
  void aRowIsLocatedByItsKey() throws Exception {
    create(
        "located",
        "id int32 key, name string key, v string nullable",
        "--hash=name:2",
        "--range_columns=id",
        "--range=0 <= VALUES < 10",
        "--range=10 <= VALUES < 20");
    String tablet = done("locate_row", "MASTERS", "located", "[5, \"a\"]").strip();
    assertThat(tablet).matches("[0-9a-f]{32}");
    assertThat(done("list", "MASTERS", "--tables=located", "--list_tablets")).contains(tablet);
    assertThat(done("locate_row", "MASTERS", "located", "[6, \"a\"]").strip()).isEqualTo(tablet);
    assertThat(done("locate_row", "MASTERS", "located", "[15, \"a\"]").strip())
        .isNotEqualTo(tablet);

    KuduRun absent =
        table("locate_row", "MASTERS", "located", "[5, \"a\"]", "--check_row_existence");
    assertThat(absent.exitCode()).isEqualTo(1);
    assertThat(absent.out()).isEqualTo(tablet + "\n");
    assertThat(absent.err()).isEqualTo("kudu: Table located has no row with key [5, \"a\"]\n");
    Rows.insert(cluster, "located", 5, "a");
    assertThat(done("locate_row", "MASTERS", "located", "[5, \"a\"]", "-check_row_existence"))
        .isEqualTo(tablet + "\n(int32 id=5, string name=\"a\", string v=NULL)\n");
    Rows.insert(cluster, "located", 6, "say \"a\"\nb");
    assertThat(
            done(
                "locate_row",
                "MASTERS",
                "located",
                "[6, \"say \\\"a\\\"\\nb\"]",
                "-check_row_existence"))
        .endsWith("\n(int32 id=6, string name=\"say \\\"a\\\"\\nb\", string v=NULL)\n");
  }

  @Test
  void aKeyThatDoesNotFitNamesTheColumn() {
    create(
        "keyed", "id int32 key, name string key", "--range_columns=id", "--range=0 <= VALUES < 10");
    assertThat(error("locate_row", "MASTERS", "keyed", "[5]"))
        .isEqualTo(
            "kudu: KEY has 1 values; column name has none; it must have 2: id INT32, name STRING");
    assertThat(error("locate_row", "MASTERS", "keyed", "[5, \"a\", 6]"))
        .isEqualTo("kudu: KEY has 3 values; it must have 2: id INT32, name STRING");
    assertThat(error("locate_row", "MASTERS", "keyed", "[\"5\", \"a\"]"))
        .contains("column id is INT32: \"5\" is invalid; it must be an integer");
    assertThat(error("locate_row", "MASTERS", "keyed", "[5, 6]"))
        .contains("column name is STRING: 6 is invalid; it must be a string");
    assertThat(error("locate_row", "MASTERS", "keyed", "[5000000000, \"a\"]"))
        .contains("column id is INT32: '5000000000' is invalid");
    assertThat(error("locate_row", "MASTERS", "keyed", "{\"id\": 5}"))
        .contains("it must be a JSON array with a value for each column: id INT32, name STRING");
    assertThat(error("locate_row", "MASTERS", "keyed", "[50, \"a\"]"))
        .contains("No tablet of table keyed contains key [50, \"a\"]", "add_range_partition");
  }

  @Test
  void aDeletedTableIsRecalledWhileItsReserveLasts() throws Exception {
    create("reserved", "id int64 key");
    Rows.insert(cluster, "reserved", 1);
    String deleted = done("delete", "MASTERS", "reserved", "--reserve_seconds=600");
    assertThat(deleted)
        .matches(
            "Deleted table reserved; kudu table recall [0-9a-f]{32} restores it within 600 s\n");
    String id = deleted.replaceFirst("(?s).*recall (\\w+) .*", "$1");
    assertThat(done("list", "MASTERS", "--soft_deleted_only", "--columns=name,id")).contains(id);

    create("successor", "id int64 key");
    done("rename_table", "MASTERS", "successor", "reserved");
    assertThat(error("recall", "MASTERS", id)).contains("already exists");
    assertThat(done("recall", "MASTERS", id, "--new_table_name=recalled"))
        .isEqualTo("Recalled table reserved (" + id + ") as recalled\n");
    assertThat(done("scan", "MASTERS", "recalled", "--format=csv")).isEqualTo("id\n1\n");

    done("delete", "MASTERS", "recalled", "--reserve_seconds=600");
    assertThat(done("recall", "MASTERS", "recalled")).contains("Recalled table recalled");
    assertThat(error("recall", "MASTERS", id))
        .contains("There is no deleted table '" + id + "'", "--soft_deleted_only");
    done("delete", "MASTERS", "recalled");
    assertThat(error("recall", "MASTERS", "recalled")).contains("There is no deleted table");
  }

  @Test
  void aTableIsCopiedWithItsPartitions() throws Exception {
    create(
        "source",
        "id int64 key, v string nullable default 'x' comment 'a note', t timestamp nullable",
        "--hash=id:2",
        "--range_columns=id",
        "--range=0 <= VALUES < 10",
        "--range=10 <= VALUES < 20");
    for (int i = 0; i < 20; i++) {
      Rows.insert(cluster, "source", i, "v" + i);
    }
    assertThat(done("copy", "MASTERS", "source", "MASTERS", "--dst_table=copied"))
        .startsWith("Created table copied on ")
        .contains("Copied 20 rows of source to copied in ");
    assertThat(describe("copied")).isEqualTo(describe("source").replace("source", "copied"));
    assertThat(done("scan", "MASTERS", "copied", "--format=csv").lines())
        .containsExactlyInAnyOrderElementsOf(
            done("scan", "MASTERS", "source", "--format=csv").lines().toList());

    KuduRun again = table("copy", "MASTERS", "source", "MASTERS", "--dst_table=copied");
    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.out()).contains("Copied 0 rows");
    assertThat(again.err()).contains("has a row with key", "--write_type=upsert overwrites it");
    assertThat(
            done(
                "copy",
                "MASTERS",
                "source",
                "MASTERS",
                "--dst_table=copied",
                "--write_type=upsert",
                "--num_threads=1"))
        .startsWith("Copied 20 rows");
  }

  @Test
  void aPartOfATableIsCopied() throws Exception {
    create("whole", "id int64 key", "--range_columns=id", "--split=5");
    for (int i = 0; i < 10; i++) {
      Rows.insert(cluster, "whole", i);
    }
    assertThat(done("copy", "MASTERS", "whole", "MASTERS", "--dst_table=part", "--write_type="))
        .contains("Copied no rows");
    assertThat(done("scan", "MASTERS", "part", "--row_count_only")).isEqualTo("0\n");
    String tablet = done("locate_row", "MASTERS", "whole", "[7]").strip();
    Object[] copy = {"copy", "MASTERS", "whole", "MASTERS", "--dst_table=part", ""};
    copy[5] = "--predicates=[\"<\", \"id\", 3]";
    assertThat(done(copy)).contains("Copied 3 rows");
    copy[5] = "--tablets=" + tablet;
    assertThat(done(copy)).contains("Copied 5 rows");
    copy[5] = "--tablets=none";
    assertThat(error(copy)).contains("None of --tablets belongs to table whole");
    copy[4] = "--dst_table=absent";
    copy[5] = "--create_table=false";
    assertThat(error(copy)).contains("There is no table 'absent'");
    assertThat(error("copy", "MASTERS", "whole", "MASTERS"))
        .contains("Table whole cannot be copied to itself; give another name with --dst_table");
    create("other", "id int64 key, v string nullable");
    assertThat(error("copy", "MASTERS", "whole", "MASTERS", "--dst_table=other"))
        .contains("Column 2 of table other is v STRING NULLABLE, but nothing in the source");
    copy[5] = "--write_type=merge";
    assertThat(error(copy)).contains("--write_type=merge: must be insert, upsert or ''");
  }
}
