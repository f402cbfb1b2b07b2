package dev.kudu4j.tools.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.ArrowScanner;
import dev.kudu4j.client.AsyncKuduScanner.RowDataFormat;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.tools.KuduRun;
import dev.kudu4j.util.CharUtil;
import dev.kudu4j.util.DecimalUtil;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Date;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Array columns in a cluster: all types of elements, all ways to read, flushed and restarted. */
@Timeout(300)
class ArrayColumnsTest {
  @TempDir private Path directory;

  /** Two elements that are not NULL, for each type of elements. */
  private static final Map<ColumnSchema, Object[]> ELEMENTS = new LinkedHashMap<>();

  static {
    add("bool", Type.BOOL, new Boolean[] {true, false});
    add("int8", Type.INT8, new Byte[] {Byte.MIN_VALUE, 1});
    add("int16", Type.INT16, new Short[] {Short.MIN_VALUE, 1});
    add("int32", Type.INT32, new Integer[] {Integer.MIN_VALUE, 1});
    add("int64", Type.INT64, new Long[] {Long.MIN_VALUE, 1L});
    add("float", Type.FLOAT, new Float[] {Float.NaN, 1.5f});
    add("double", Type.DOUBLE, new Double[] {Double.NEGATIVE_INFINITY, 1.5});
    add("string", Type.STRING, new String[] {"", "naïve"});
    add("varchar", Type.VARCHAR, new String[] {"日本", "x"});
    add("binary", Type.BINARY, new byte[][] {{}, {0, -1}});
    add("date", Type.DATE, new Date[] {Date.valueOf("0001-01-01"), Date.valueOf("2020-02-29")});
    add("time", Type.UNIXTIME_MICROS, new Timestamp[] {new Timestamp(-1), new Timestamp(5)});
    add("small", Type.DECIMAL, new BigDecimal[] {new BigDecimal("-9999999.99"), d("0.01")});
    add(
        "large",
        Type.DECIMAL,
        new BigDecimal[] {new BigDecimal("99999999999999.9999"), d("1.0000")});
  }

  private static BigDecimal d(String number) {
    return new BigDecimal(number);
  }

  private static void add(String name, Type type, Object[] elements) {
    ColumnSchemaBuilder column = new ColumnSchemaBuilder(name, type).array(true).nullable(true);
    if (type == Type.VARCHAR) {
      column.typeAttributes(CharUtil.typeAttributes(5));
    } else if (type == Type.DECIMAL) {
      column.typeAttributes(
          name.equals("small")
              ? DecimalUtil.typeAttributes(9, 2)
              : DecimalUtil.typeAttributes(18, 4));
    }
    ELEMENTS.put(column.build(), elements);
  }

  /** The expected cells by id, in the order of {@link #ELEMENTS}. */
  private final Map<Long, List<Object>> expected = new TreeMap<>();

  @Test
  void arraysOfAllTypesSurviveFlushesCompactionsAndRestarts() throws Exception {
    EmbeddedCluster.Builder builder =
        EmbeddedCluster.builder().directory(directory).tabletServers(1).webPages(true);
    try (EmbeddedCluster cluster = builder.start()) {
      KuduTable table = create(cluster.client());
      write(cluster.client(), table.newInsert(), 0, 2, 1, 0); // elements, NULL, elements
      writeNulls(cluster.client(), table.newInsert(), 1);
      write(cluster.client(), table.newInsert(), 2);
      write(cluster.client(), table.newInsert(), 3, 0, 0);
      for (int id = 4; id < 40; id++) {
        write(cluster.client(), table.newInsert(), id, 1, id % 3);
      }
      check(cluster, table);
      assertThat(page(cluster, table))
          .contains("INT32 1D-ARRAY NULLABLE", "DECIMAL(9, 2) 1D-ARRAY");
      compact(cluster);
      check(cluster, table);
      write(cluster.client(), table.newUpdate(), 1, 2, 0, 1);
      writeNulls(cluster.client(), table.newUpsert(), 2);
      write(cluster.client(), table.newUpsert(), 41, 1);
      delete(cluster.client(), table, 3);
      check(cluster, table);
      compact(cluster);
      check(cluster, table);
      write(cluster.client(), table.newUpdate(), 4);
    }
    try (EmbeddedCluster cluster = builder.start()) {
      check(cluster, cluster.client().openTable("t"));
      compact(cluster);
      check(cluster, cluster.client().openTable("t"));
    }
  }

  private static KuduTable create(KuduClient client) throws Exception {
    List<ColumnSchema> columns = new ArrayList<>();
    columns.add(new ColumnSchemaBuilder("id", Type.INT64).key(true).build());
    columns.addAll(ELEMENTS.keySet());
    return client.createTable(
        "t",
        new Schema(columns),
        new CreateTableOptions().addHashPartitions(List.of("id"), 2).setNumReplicas(1));
  }

  /**
   * Writes a row.
   *
   * @param picks the elements of each array: 0 for NULL, else the number of the type's element
   */
  private void write(KuduClient client, Operation operation, long id, int... picks)
      throws IOException {
    write(client, operation, id, false, picks);
  }

  private void writeNulls(KuduClient client, Operation operation, long id) throws IOException {
    write(client, operation, id, true, new int[0]);
  }

  private void write(KuduClient client, Operation operation, long id, boolean isNull, int[] picks)
      throws IOException {
    operation.getRow().addLong("id", id);
    List<Object> cells = new ArrayList<>();
    ELEMENTS.forEach(
        (column, elements) -> {
          Object[] cell = isNull ? null : Arrays.copyOf(elements, picks.length);
          for (int i = 0; !isNull && i < picks.length; i++) {
            cell[i] = picks[i] == 0 ? null : elements[picks[i] - 1];
          }
          operation.getRow().addObject(column.getName(), cell);
          cells.add(cell);
        });
    apply(client, operation);
    expected.put(id, cells);
  }

  private void delete(KuduClient client, KuduTable table, long id) throws IOException {
    Operation delete = table.newDelete();
    delete.getRow().addLong("id", id);
    apply(client, delete);
    expected.remove(id);
  }

  private static void apply(KuduClient client, Operation operation) throws IOException {
    KuduSession session = client.newSession();
    try {
      OperationResponse response = session.apply(operation);
      assertThat(response.hasRowError()).as(String.valueOf(response.getRowError())).isFalse();
    } finally {
      session.close();
    }
  }

  private static void compact(EmbeddedCluster cluster) {
    KuduRun compacted = KuduRun.of("tablet", "compact", cluster.masterAddresses(), "--table=t");
    assertThat(compacted.exitCode()).as(compacted.out() + compacted.err()).isZero();
  }

  private void check(EmbeddedCluster cluster, KuduTable table) throws Exception {
    KuduClient client = cluster.client();
    for (RowDataFormat format : RowDataFormat.values()) {
      KuduScanner scanner = client.newScannerBuilder(table).build();
      scanner.setRowDataFormat(format);
      assertRows(rows(scanner));
    }
    Map<Long, List<Object>> tokenRows = new TreeMap<>();
    for (KuduScanToken token : client.newScanTokenBuilder(table).build()) {
      KuduScanner scanner = KuduScanToken.deserializeIntoScanner(token.serialize(), client);
      tokenRows.putAll(rows(scanner));
    }
    assertRows(tokenRows);
    checkArrow(client, table);
    ColumnSchema column = table.getSchema().getColumn("string");
    assertThat(
            rows(
                client
                    .newScannerBuilder(table)
                    .addPredicate(KuduPredicate.newIsNullPredicate(column))
                    .build()))
        .containsOnlyKeys(
            expected.entrySet().stream()
                .filter(row -> row.getValue().get(0) == null)
                .map(Map.Entry::getKey)
                .toList());
  }

  private static Map<Long, List<Object>> rows(KuduScanner scanner) throws Exception {
    Map<Long, List<Object>> rows = new TreeMap<>();
    for (RowResult row : scanner) {
      List<Object> cells = new ArrayList<>();
      for (int i = 1; i < row.getSchema().getColumnCount(); i++) {
        cells.add(row.getArrayData(i));
      }
      rows.put(row.getLong("id"), cells);
    }
    return rows;
  }

  private void assertRows(Map<Long, List<Object>> found) {
    assertThat(found.keySet()).isEqualTo(expected.keySet());
    expected.forEach(
        (id, cells) ->
            assertThat(Arrays.deepToString(found.get(id).toArray()))
                .as("row " + id)
                .isEqualTo(Arrays.deepToString(cells.toArray())));
  }

  private void checkArrow(KuduClient client, KuduTable table) throws Exception {
    int rows = 0;
    try (BufferAllocator allocator = new RootAllocator();
        ArrowScanner scanner = client.newScannerBuilder(table).arrow(allocator)) {
      while (scanner.hasMoreBatches()) {
        try (VectorSchemaRoot batch = scanner.nextBatch()) {
          rows += batch.getRowCount();
          for (int i = 0; i < batch.getRowCount(); i++) {
            List<Object> cells = expected.get((Long) batch.getVector("id").getObject(i));
            assertThat(batch.getVector("int64").getObject(i)).isEqualTo(list(cells.get(4)));
            assertThat(texts(batch.getVector("string").getObject(i))).isEqualTo(list(cells.get(7)));
          }
        }
      }
    }
    assertThat(rows).isEqualTo(expected.size());
  }

  /** The elements of a list of Arrow as strings. */
  private static List<Object> texts(Object list) {
    return list == null
        ? null
        : ((List<?>) list)
            .stream().map(text -> text == null ? null : (Object) text.toString()).toList();
  }

  private static List<Object> list(Object array) {
    return array == null ? null : Arrays.asList((Object[]) array);
  }

  private static String page(EmbeddedCluster cluster, KuduTable table) throws Exception {
    URI uri =
        URI.create("http://" + cluster.webAddresses().get(0) + "/table?id=" + table.getTableId());
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  @Test
  void columnsAreAddedAndDroppedAndLargeCellsAreRowErrors() throws Exception {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().tabletServers(1).start()) {
      KuduClient client = cluster.client();
      KuduTable table = create(client);
      write(client, table.newInsert(), 1, 1, 2);
      compact(cluster);
      client.alterTable(
          "t",
          new AlterTableOptions()
              .addNullableArrayColumn("more", Type.INT8)
              .addNullableArrayColumn("decimals", Type.DECIMAL, DecimalUtil.typeAttributes(5, 1))
              .dropColumn("string"));
      table = client.openTable("t");
      KuduSession session = client.newSession();
      session.setFlushMode(FlushMode.MANUAL_FLUSH);
      int maxElements = (64 << 10) - 52; // the rest of the cell describes the elements
      for (int more = 0; more < 2; more++) {
        Operation update = table.newUpdate();
        update.getRow().addLong("id", 1);
        update.getRow().addArrayInt8("more", new byte[maxElements + more]);
        session.apply(update);
      }
      List<OperationResponse> responses = session.flush();
      assertThat(responses.get(0).hasRowError()).isFalse();
      assertThat(responses.get(1).getRowError().getErrorStatus().toString())
          .contains("value too large for column 'more'", "maximum is 65536 bytes");
      compact(cluster);
      for (RowResult row : client.newScannerBuilder(table).build()) {
        assertThat(row.getArray("more").length()).isEqualTo(maxElements);
        assertThat(row.getArray("decimals")).isNull();
        assertThat(row.getArrayData("int32")).isEqualTo(new Integer[] {Integer.MIN_VALUE, 1});
        assertThat(row.getSchema().hasColumn("string")).isFalse();
      }
    }
  }

  @Test
  void mastersThatHideTheFeatureAreReported() throws Exception {
    try (EmbeddedCluster cluster =
        EmbeddedCluster.builder()
            .tabletServers(1)
            .masterFlag("--unlock_unsafe_flags")
            .masterFlag("--master_support_1d_array_columns=false")
            .start()) {
      assertThatThrownBy(() -> create(cluster.client()))
          .hasMessageContaining("does not support the features")
          .hasMessageContaining("CreateTable")
          .hasMessageContaining("upgrade the servers");
    }
  }

  @Test
  void theCommandCreatesFillsAndShowsArrays() throws Exception {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().tabletServers(1).start()) {
      String masters = cluster.masterAddresses();
      run(
          "table",
          "create",
          masters,
          "a",
          "--columns=id int64 key, n int32 1d-array nullable, s varchar(5) array nullable,"
              + " d decimal(5, 1) array nullable");
      Path csv =
          Files.writeString(
              directory.resolve("a.csv"),
              "id,n,s,d\n1,\"[1, null, 3]\",\"[\"\"a,\"\"]\",[]\n2,,\"[\"\"b\"\"]\",\"[1.5]\"\n");
      run("table", "import", masters, "a", csv.toString());
      assertThat(run("table", "describe", masters, "a"))
          .contains(
              "n INT32 1D-ARRAY NULLABLE",
              "s VARCHAR(5) 1D-ARRAY NULLABLE",
              "d DECIMAL(5, 1) 1D-ARRAY NULLABLE");
      assertThat(run("table", "scan", masters, "a", "--format=json"))
          .contains(
              "{\"id\":1,\"n\":[1,null,3],\"s\":[\"a,\"],\"d\":[]}",
              "{\"id\":2,\"n\":null,\"s\":[\"b\"],\"d\":[1.5]}");
      assertThat(run("table", "scan", masters, "a")).contains("[1, null, 3]", "[\"a,\"]");
      assertThat(run("table", "locate_row", masters, "a", "[1]", "--check_row_existence"))
          .contains("int32 1d-array n=[1, null, 3]");
      String definition = run("table", "describe", masters, "a", "--format=json");
      assertThat(definition).contains("\"is_array\"");
      run(
          "table",
          "create",
          masters,
          definition.replaceFirst("\"table_name\"\\s*:\\s*\"a\"", "\"table_name\":\"b\""));
      run("table", "copy", masters, "a", masters, "--dst_table=b");
      assertThat(run("table", "scan", masters, "b", "--format=json"))
          .isEqualTo(run("table", "scan", masters, "a", "--format=json"));
      run("table", "add_column", masters, "a", "more double array nullable");
      assertThat(run("table", "describe", masters, "a")).contains("more DOUBLE 1D-ARRAY NULLABLE");
      assertThat(KuduRun.of("table", "scan", masters, "a", "--where=n = 1").err())
          .contains("Column n has arrays, which cannot be compared");
      assertThat(run("table", "scan", masters, "a", "--where=n is null", "--format=json"))
          .contains("\"id\":2")
          .doesNotContain("\"id\":1");
      Path bad = Files.writeString(directory.resolve("bad.csv"), "id,n\n3,1 2\n");
      assertThat(KuduRun.of("table", "import", masters, "a", bad.toString()).err())
          .contains("it must be a JSON array such as [1, null, 3]");
      run(
          "perf",
          "loadgen",
          masters,
          "--table_name=a",
          "--num_rows_per_thread=20",
          "--seq_start=1000");
    }
  }

  private static String run(Object... arguments) {
    KuduRun run = KuduRun.of(arguments);
    assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
    return run.out();
  }
}
