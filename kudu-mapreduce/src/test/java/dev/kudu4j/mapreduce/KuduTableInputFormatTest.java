package dev.kudu4j.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.embedded.junit5.KuduClusterExtension;
import dev.kudu4j.mapreduce.KuduTableMapReduceUtil.TableInputFormatConfigurator;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.InvalidJobConfException;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.RecordReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class KuduTableInputFormatTest {
  private static final long SCANNER_TTL_MILLIS = 3_000;
  private static final int NEGLECTED = 20;
  private static final int ROWS = 1_000;

  @RegisterExtension
  static final KuduClusterExtension KUDU =
      KuduClusterExtension.of(
          EmbeddedCluster.builder()
              .tabletServers(3)
              .tabletServerFlag("--scanner_ttl_ms=" + SCANNER_TTL_MILLIS)
              .tabletServerFlag("--scanner_max_batch_size_bytes=10000"));

  private final EmbeddedCluster cluster;
  private final KuduClient client;
  private KuduTable table;

  KuduTableInputFormatTest(EmbeddedCluster cluster, KuduClient client) {
    this.cluster = cluster;
    this.client = client;
  }

  @BeforeEach
  void createTable() throws Exception {
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchema.ColumnSchemaBuilder("id", Type.INT64).key(true).build(),
                new ColumnSchema.ColumnSchemaBuilder("even", Type.BOOL).build(),
                new ColumnSchema.ColumnSchemaBuilder("text", Type.STRING).nullable(true).build()));
    table =
        client.createTable(
            "numbers",
            schema,
            new CreateTableOptions().addHashPartitions(List.of("id"), 5).setNumReplicas(1));
    upsert(0, ROWS, "first");
  }

  @AfterEach
  void dropTable() throws Exception {
    client.deleteTable("numbers");
  }

  private void upsert(long from, long to, String text) throws Exception {
    KuduSession session = client.newSession();
    session.setFlushMode(KuduSession.FlushMode.AUTO_FLUSH_BACKGROUND);
    for (long id = from; id < to; id++) {
      Operation upsert = table.newUpsert();
      upsert.getRow().addLong("id", id);
      upsert.getRow().addBoolean("even", id % 2 == 0);
      upsert.getRow().addString("text", text);
      session.apply(upsert);
    }
    session.close();
    assertThat(session.countPendingErrors()).isZero();
  }

  private TableInputFormatConfigurator input(Job job, String projection) {
    return new TableInputFormatConfigurator(job, "numbers", projection, cluster.masterAddresses())
        .addDependencies(false);
  }

  private Configuration conf(String projection, KuduPredicate... predicates) throws Exception {
    Job job = Job.getInstance(new Configuration(false));
    TableInputFormatConfigurator input = input(job, projection);
    for (KuduPredicate predicate : predicates) {
      input.addPredicate(predicate);
    }
    input.configure();
    return job.getConfiguration();
  }

  private static Set<Long> ids(Configuration conf) throws Exception {
    return ids(conf, Attempt.splits(conf));
  }

  private static Set<Long> ids(Configuration conf, List<InputSplit> splits) throws Exception {
    List<Long> ids = Attempt.read(conf, splits, row -> row.getLong("id"));
    assertThat(ids).doesNotHaveDuplicates();
    return Set.copyOf(ids);
  }

  private static Set<Long> numbers(long from, long to) {
    return LongStream.range(from, to).boxed().collect(Collectors.toSet());
  }

  @Test
  void readsEachRowOnceInASplitOfEachTablet() throws Exception {
    Configuration conf = conf(null);
    List<InputSplit> splits = Attempt.splits(conf);
    assertThat(splits).hasSize(5);
    for (InputSplit split : splits) {
      assertThat(split.getLocations()).containsExactly("localhost");
      assertThat(split.toString()).contains("in tablet").endsWith("of numbers");
    }
    assertThat(Attempt.read(conf, splits, RowResult::rowToString))
        .hasSize(ROWS)
        .contains("INT64 id=7, BOOL even=false, STRING text=first");
    assertThat(ids(conf, splits)).isEqualTo(numbers(0, ROWS));
  }

  @Test
  void readsTheProjectedColumnsOfMatchingRows() throws Exception {
    Configuration conf =
        conf(
            "text,id",
            KuduPredicate.newComparisonPredicate(
                table.getSchema().getColumn("even"), ComparisonOp.EQUAL, true),
            KuduPredicate.newComparisonPredicate(
                table.getSchema().getColumn("id"), ComparisonOp.LESS, 10L));
    List<String> rows = Attempt.read(conf, Attempt.splits(conf), RowResult::rowToString);
    assertThat(rows)
        .containsExactlyInAnyOrder(
            "STRING text=first, INT64 id=0",
            "STRING text=first, INT64 id=2",
            "STRING text=first, INT64 id=4",
            "STRING text=first, INT64 id=6",
            "STRING text=first, INT64 id=8");
  }

  @Test
  void aPredicateOnTheKeyPrunesTablets() throws Exception {
    Configuration conf =
        conf(
            "id",
            KuduPredicate.newComparisonPredicate(
                table.getSchema().getColumn("id"), ComparisonOp.EQUAL, 42L));
    assertThat(Attempt.splits(conf)).hasSize(1);
    assertThat(ids(conf)).containsExactly(42L);
  }

  @Test
  void anUnsatisfiablePredicateHasNoSplits() throws Exception {
    Configuration conf =
        conf(
            "id",
            KuduPredicate.newComparisonPredicate(
                table.getSchema().getColumn("id"), ComparisonOp.LESS, Long.MIN_VALUE));
    assertThat(Attempt.splits(conf)).isEmpty();
  }

  @Test
  void rowsWithoutCellsAreCounted() throws Exception {
    Configuration conf = conf("");
    assertThat(Attempt.read(conf, Attempt.splits(conf), row -> row)).hasSize(ROWS);
  }

  @Test
  void aSnapshotDoesNotChangeDuringWrites() throws Exception {
    Configuration conf = conf("*");
    List<InputSplit> splits = Attempt.splits(conf);
    upsert(ROWS / 2, 2 * ROWS, "second");
    KuduSession session = client.newSession();
    Operation delete = table.newDelete();
    delete.getRow().addLong("id", 0);
    assertThat(session.apply(delete).hasRowError()).isFalse();
    assertThat(ids(conf, splits)).isEqualTo(numbers(0, ROWS));
    assertThat(Attempt.read(conf, splits, row -> row.getString("text"))).containsOnly("first");
    assertThat(ids(conf)).as("a job submitted now").isEqualTo(numbers(1, 2 * ROWS));

    Configuration again = conf("*");
    again.set(KuduTableInputFormat.SNAPSHOT_TIMESTAMP_KEY, chosenSnapshot(splits, conf));
    assertThat(ids(again)).as("a job with the earlier snapshot").isEqualTo(numbers(1, 2 * ROWS));
  }

  private static String chosenSnapshot(List<InputSplit> splits, Configuration conf) {
    assertThat(splits).isNotEmpty();
    return conf.get(KuduTableInputFormat.CHOSEN_SNAPSHOT_KEY);
  }

  @Test
  void aSnapshotContainsEarlierWritesOfOtherClients() throws Exception {
    for (int round = 1; round <= 10; round++) {
      upsert(0, ROWS, "round " + round);
      Configuration conf = conf("text");
      List<InputSplit> splits = Attempt.splits(conf);
      assertThat(Attempt.read(conf, splits, row -> row.getString("text")))
          .hasSize(ROWS)
          .containsOnly("round " + round);
    }
  }

  @Test
  void aRowIsTheSameObjectUntilItsBatchEnds() throws Exception {
    Configuration conf = conf("id");
    InputSplit split = Attempt.splits(conf).get(0);
    try (RecordReader<NullWritable, RowResult> reader = Attempt.reader(conf, split)) {
      assertThat(reader.nextKeyValue()).isTrue();
      RowResult first = reader.getCurrentValue();
      long id = first.getLong("id");
      assertThat(reader.nextKeyValue()).isTrue();
      assertThat(reader.getCurrentValue()).isSameAs(first);
      assertThat(first.getLong("id")).isNotEqualTo(id);
    }
  }

  @Test
  void progressGrowsToOne() throws Exception {
    KuduTableSplit known =
        new KuduTableSplit("", ((KuduTableSplit) split()).token(), new String[0], 0, 400);
    try (RecordReader<NullWritable, RowResult> reader = Attempt.reader(conf("id"), known)) {
      float last = 0;
      long rows = 0;
      while (reader.nextKeyValue()) {
        assertThat(reader.getProgress()).isGreaterThan(last).isLessThan(1);
        last = reader.getProgress();
        rows++;
      }
      assertThat(last).isEqualTo(rows / 400f);
      assertThat(reader.getProgress()).isEqualTo(1);
    }
  }

  private InputSplit split() throws Exception {
    return Attempt.splits(conf("id")).get(0);
  }

  /** The second batch is requested while the first one is mapped; later batches are not. */
  @Test
  void aSlowMapperKeepsItsScanner() throws Exception {
    upsert(0, 30_000, "many");
    Configuration conf = conf("*");
    InputSplit split = Attempt.splits(conf).get(0);
    Deque<RecordReader<NullWritable, RowResult>> neglected = new ArrayDeque<>();
    try (RecordReader<NullWritable, RowResult> kept = begun(conf, split, SCANNER_TTL_MILLIS / 10)) {
      for (int i = 0; i < NEGLECTED; i++) {
        neglected.add(begun(conf, split, TimeUnit.HOURS.toMillis(1)));
      }
      await("a scanner without keep-alive is lost") // ask each once: a request keeps it alive
          .atMost(Duration.ofMinutes(1))
          .pollInterval(Duration.ofMillis(SCANNER_TTL_MILLIS / 6))
          .until(() -> isLost(neglected.remove()));
      readOn(kept);
    } finally {
      for (RecordReader<NullWritable, RowResult> reader : neglected) {
        reader.close();
      }
    }
  }

  private static RecordReader<NullWritable, RowResult> begun(
      Configuration conf, InputSplit split, long keepAliveMillis) throws Exception {
    conf.setLong(KuduTableInputFormat.KEEP_ALIVE_PERIOD_MS_KEY, keepAliveMillis);
    RecordReader<NullWritable, RowResult> reader = Attempt.reader(conf, split);
    assertThat(reader.nextKeyValue()).isTrue();
    return reader;
  }

  private static boolean isLost(RecordReader<NullWritable, RowResult> begun) throws Exception {
    try (begun) {
      readOn(begun);
      return false;
    } catch (IOException e) {
      assertThat(e)
          .hasMessageContaining("Reading piece 0 of")
          .hasMessageContaining("rows: Scanner");
      return true;
    }
  }

  private static void readOn(RecordReader<NullWritable, RowResult> begun) throws Exception {
    while (begun.nextKeyValue()) {
      assertThat(begun.getCurrentValue().getLong("id")).isNotNegative();
    }
  }

  @Test
  void missingTablesAndColumnsAreReported() throws Exception {
    Configuration conf = conf("id,nothing");
    assertThatThrownBy(() -> Attempt.splits(conf))
        .isInstanceOf(InvalidJobConfException.class)
        .hasMessage(
            "Table 'numbers' has no column 'nothing', which kudu.mapreduce.column.projection"
                + " names; its columns are id, even, text");
    ColumnSchema foreign = new ColumnSchema.ColumnSchemaBuilder("other", Type.INT32).build();
    Configuration predicate =
        conf("id", KuduPredicate.newComparisonPredicate(foreign, ComparisonOp.EQUAL, 1L));
    assertThatThrownBy(() -> Attempt.splits(predicate))
        .hasMessageContaining("do not match table 'numbers' with the columns id, even, text")
        .hasMessageContaining("other");
    conf.set(KuduTableInputFormat.INPUT_TABLE_KEY, "letters");
    assertThatThrownBy(() -> Attempt.splits(conf))
        .hasMessageStartingWith(
            "There is no table 'letters' on the cluster of " + cluster.masterAddresses())
        .hasMessageContaining("kudu.mapreduce.input.table");
    conf.set(KuduTableInputFormat.MASTER_ADDRESSES_KEY, "127.0.0.1:x");
    assertThatThrownBy(() -> Attempt.splits(conf))
        .hasMessageContaining("host:port")
        .hasMessageContaining("127.0.0.1:x");
  }

  @Test
  void aSilentMasterIsReportedAfterTheTimeout() throws Exception {
    Configuration conf = conf("id");
    conf.set(KuduTableInputFormat.MASTER_ADDRESSES_KEY, "127.0.0.1:1");
    conf.setLong(KuduTableInputFormat.OPERATION_TIMEOUT_MS_KEY, 500);
    assertThatThrownBy(() -> Attempt.splits(conf))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("127.0.0.1:1");
  }
}
