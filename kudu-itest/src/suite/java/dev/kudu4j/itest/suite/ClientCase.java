package dev.kudu4j.itest.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.ColumnTypeAttributes.ColumnTypeAttributesBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.AsyncKuduScanner.RowDataFormat;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduScanner.KuduScannerBuilder;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.SessionConfiguration;
import dev.kudu4j.itest.support.Cluster;
import dev.kudu4j.itest.support.Pair;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/**
 * The environment of every case: a client, a table name that no other case uses, and short methods
 * for common calls.
 */
@Timeout(180)
abstract class ClientCase {
  private static final int CALL_MILLIS = 60_000;

  /** Shared by all cases of a pair. */
  KuduClient client;

  Cluster cluster;

  /**
   * The name of the table that {@link #create} creates. All tables whose names contain it are
   * dropped after the case.
   */
  String tableName;

  @BeforeEach
  void connect(Pair pair, TestInfo test) {
    client = pair.client(KuduClient.class, ClientCase::newClient);
    cluster = pair.cluster();
    tableName = test.getTestMethod().orElseThrow().getName();
  }

  /** A client whose timeouts are longer than a slow machine takes to restart servers. */
  private static KuduClient newClient(String masters) {
    return new KuduClient.KuduClientBuilder(masters)
        .defaultAdminOperationTimeoutMs(CALL_MILLIS)
        .defaultOperationTimeoutMs(CALL_MILLIS)
        .build();
  }

  @AfterEach
  void dropTables() throws KuduException {
    for (String name : client.getTablesList(tableName).getTablesList()) {
      client.deleteTable(name);
    }
  }

  // Tables

  static ColumnSchemaBuilder column(String name, Type type) {
    return new ColumnSchemaBuilder(name, type);
  }

  static ColumnSchema key(String name, Type type) {
    return column(name, type).key(true).build();
  }

  static ColumnSchema nullable(String name, Type type) {
    return column(name, type).nullable(true).build();
  }

  static ColumnSchemaBuilder decimal(String name, int precision, int scale) {
    return column(name, Type.DECIMAL)
        .typeAttributes(
            new ColumnTypeAttributesBuilder().precision(precision).scale(scale).build());
  }

  static ColumnSchemaBuilder varchar(String name, int length) {
    return column(name, Type.VARCHAR)
        .typeAttributes(new ColumnTypeAttributesBuilder().length(length).build());
  }

  static Schema schema(ColumnSchema... columns) {
    return new Schema(List.of(columns));
  }

  /** A key {@code k} and a nullable value {@code v}, both INT32. */
  static Schema keyAndValue() {
    return schema(key("k", Type.INT32), nullable("v", Type.INT32));
  }

  CreateTableOptions options() {
    return new CreateTableOptions().setNumReplicas(cluster.replicaCount());
  }

  CreateTableOptions oneTablet() {
    return options().setRangePartitionColumns(List.of());
  }

  CreateTableOptions twoTablets() {
    return options().addHashPartitions(List.of("k"), 2);
  }

  static AlterTableOptions alter() {
    return new AlterTableOptions();
  }

  KuduTable create(Schema schema, CreateTableOptions options) throws KuduException {
    return client.createTable(tableName, schema, options);
  }

  /** Creates a table with the schema {@link #keyAndValue}, one tablet and the rows (k, v). */
  KuduTable createWith(int[]... rows) throws KuduException {
    KuduTable table = create(keyAndValue(), oneTablet());
    insert(table, rows);
    return table;
  }

  void insert(KuduTable table, int[]... rows) throws KuduException {
    Operation[] inserts = new Operation[rows.length];
    for (int i = 0; i < rows.length; i++) {
      inserts[i] = op(table.newInsert(), "k", rows[i][0], "v", rows[i][1]);
    }
    assertThat(apply(inserts)).filteredOn(outcome -> !outcome.equals("ok")).hasSizeLessThan(2);
  }

  /** The rows (from, from), ... up to {@code to}, exclusive. */
  static int[][] rows(int from, int to) {
    int[][] rows = new int[to - from][];
    for (int i = from; i < to; i++) {
      rows[i - from] = new int[] {i, i};
    }
    return rows;
  }

  // Rows

  static PartialRow row(Schema schema, Object... namesAndValues) {
    return fill(schema.newPartialRow(), namesAndValues);
  }

  static PartialRow fill(PartialRow row, Object... namesAndValues) {
    for (int i = 0; i < namesAndValues.length; i += 2) {
      if (namesAndValues[i + 1] == null) {
        row.setNull((String) namesAndValues[i]);
      } else {
        row.addObject((String) namesAndValues[i], namesAndValues[i + 1]);
      }
    }
    return row;
  }

  static <T extends Operation> T op(T operation, Object... namesAndValues) {
    fill(operation.getRow(), namesAndValues);
    return operation;
  }

  KuduSession session(SessionConfiguration.FlushMode mode) {
    KuduSession session = client.newSession();
    session.setFlushMode(mode);
    return session;
  }

  /**
   * Applies the operations as one batch; returns the outcomes as text, followed by the counts that
   * are not 0. The published client appends the operating system's error number, 0 for none, to
   * messages; ours does not.
   */
  List<String> apply(Operation... operations) throws KuduException {
    KuduSession session = session(SessionConfiguration.FlushMode.MANUAL_FLUSH);
    session.setMutationBufferSpace(Math.max(1, operations.length));
    for (Operation operation : operations) {
      session.apply(operation);
    }
    List<String> outcomes = outcomes(session.flush());
    Map<String, Long> counts = new TreeMap<>(session.getWriteOpMetrics().get());
    counts.values().removeIf(count -> count == 0);
    outcomes.add(counts.toString());
    session.close();
    return outcomes;
  }

  static List<String> outcomes(List<OperationResponse> responses) {
    List<String> outcomes = new ArrayList<>();
    for (OperationResponse response : responses) {
      outcomes.add(
          response.hasRowError()
              ? response.getRowError().getErrorStatus().toString().replace(" (error 0)", "")
              : "ok");
    }
    return outcomes;
  }

  // Scans

  interface Narrowing {
    KuduScannerBuilder with(KuduScannerBuilder builder);
  }

  /** Scans in the row-wise and the columnar layout, and asserts that both have the same rows. */
  List<String> scan(KuduTable table, Narrowing narrowing) throws KuduException {
    List<String> rows =
        drain(narrowing.with(client.newScannerBuilder(table)).build(), RowDataFormat.ROWWISE);
    List<String> columnar =
        drain(narrowing.with(client.newScannerBuilder(table)).build(), RowDataFormat.COLUMNAR);
    assertThat(columnar).containsExactlyInAnyOrderElementsOf(rows);
    return rows;
  }

  List<String> scan(KuduTable table) throws KuduException {
    return scan(table, builder -> builder);
  }

  /** The keys {@code k} of the rows that satisfy all predicates. */
  List<String> keys(KuduTable table, KuduPredicate... predicates) throws KuduException {
    return scan(
        table,
        builder -> {
          builder.setProjectedColumnNames(List.of("k"));
          for (KuduPredicate predicate : predicates) {
            builder.addPredicate(predicate);
          }
          return builder;
        });
  }

  static List<String> drain(KuduScanner scanner, RowDataFormat format) throws KuduException {
    scanner.setRowDataFormat(format);
    return drain(scanner);
  }

  static List<String> drain(KuduScanner scanner) throws KuduException {
    List<String> rows = new ArrayList<>();
    while (scanner.hasMoreRows()) {
      for (RowResult row : scanner.nextRows()) {
        rows.add(text(row));
      }
    }
    scanner.close();
    return rows;
  }

  static String text(RowResult row) {
    List<String> cells = new ArrayList<>();
    for (int i = 0; i < row.getSchema().getColumnCount(); i++) {
      cells.add(row.isNull(i) ? "null" : String.valueOf(row.getObject(i)));
    }
    return String.join(" ", cells);
  }

  // Time

  /** Waits for an effect that servers complete after their response. */
  static ConditionFactory eventually(String description) {
    return await(description).atMost(Duration.ofMinutes(1));
  }

  // Rejected attempts

  interface Attempt {
    void run() throws Exception;
  }

  /**
   * Asserts that the attempt fails with this status code, and that the message contains the words.
   */
  static void refused(Attempt attempt, String code, String... words) {
    assertThatThrownBy(attempt::run)
        .isInstanceOf(KuduException.class)
        .satisfies(
            e -> {
              String status = ((KuduException) e).getStatus().toString();
              assertThat(status).startsWith(code);
              containsAll(status, words);
            });
  }

  /** Asserts that the client rejects the attempt before it sends anything. */
  static void rejected(Attempt attempt, String... words) {
    assertThatThrownBy(attempt::run)
        .isInstanceOf(IllegalArgumentException.class)
        .satisfies(e -> containsAll(e.getMessage(), words));
  }

  private static void containsAll(String text, String... words) {
    for (String word : words) {
      assertThat(text).contains(word);
    }
  }
}
