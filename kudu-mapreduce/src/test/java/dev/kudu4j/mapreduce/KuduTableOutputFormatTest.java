package dev.kudu4j.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.embedded.junit5.KuduClusterExtension;
import dev.kudu4j.mapreduce.KuduTableMapReduceUtil.TableOutputFormatConfigurator;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(KuduClusterExtension.class)
class KuduTableOutputFormatTest {
  private final EmbeddedCluster cluster;
  private final KuduClient client;
  private Configuration conf;

  KuduTableOutputFormatTest(EmbeddedCluster cluster, KuduClient client) {
    this.cluster = cluster;
    this.client = client;
  }

  @BeforeEach
  void createTable() throws Exception {
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchema.ColumnSchemaBuilder("id", Type.INT64).key(true).build(),
                new ColumnSchema.ColumnSchemaBuilder("text", Type.STRING).nullable(true).build()));
    client.createTable(
        "numbers",
        schema,
        new CreateTableOptions().addHashPartitions(List.of("id"), 2).setNumReplicas(1));
    Job job = Job.getInstance(new Configuration(false));
    new TableOutputFormatConfigurator(job, "numbers", cluster.masterAddresses())
        .addDependencies(false)
        .configure();
    conf = job.getConfiguration();
  }

  @AfterEach
  void dropTable() throws Exception {
    client.deleteTable("numbers");
  }

  private static void write(
      RecordWriter<NullWritable, Operation> writer, Operation operation, long id, String text)
      throws Exception {
    operation.getRow().addLong("id", id);
    if (text != null) {
      operation.getRow().addString("text", text);
    }
    writer.write(NullWritable.get(), operation);
  }

  private void write(Function<KuduTable, Operation> kind, long from, long to, String text)
      throws Exception {
    Attempt.write(
        conf,
        (table, writer) -> {
          for (long id = from; id < to; id++) {
            write(writer, kind.apply(table), id, text);
          }
        });
  }

  private Map<Long, String> rows() throws Exception {
    Map<Long, String> rows = new TreeMap<>();
    for (RowResult row : client.newScannerBuilder(client.openTable("numbers")).build()) {
      rows.put(row.getLong("id"), row.getString("text"));
    }
    return rows;
  }

  @Test
  void writesInsertsUpsertsUpdatesAndDeletes() throws Exception {
    write(KuduTable::newInsert, 0, 4, "insert");
    write(KuduTable::newUpsert, 3, 6, "upsert");
    write(KuduTable::newUpdate, 0, 1, "update");
    write(KuduTable::newDelete, 1, 2, null);
    assertThat(rows())
        .isEqualTo(Map.of(0L, "update", 2L, "insert", 3L, "upsert", 4L, "upsert", 5L, "upsert"));
  }

  @Test
  void refusedRowsFailTheTaskByKeyAndCause() throws Exception {
    write(KuduTable::newInsert, 10, 20, "there");
    TaskAttemptContextImpl context = Attempt.context(conf);
    RecordWriter<NullWritable, Operation> writer =
        new KuduTableOutputFormat().getRecordWriter(context);
    KuduTable table = Attempt.tableOf(context);
    for (long id = 0; id < 100; id++) {
      write(writer, table.newInsert(), id, "new");
    }
    assertThatThrownBy(() -> writer.close(context))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("10 rows were not written to table 'numbers' of 127.0.0.1:")
        .hasMessageContaining("Insert row_key=(int64 id=1")
        .hasMessageContaining("Already present")
        .hasMessageContaining("\n  ...\nA retried task finds its own rows: upsert")
        .hasMessageContaining("kudu.mapreduce.output.ignore.duplicates");
    assertThat(context.getCounter(KuduTableOutputFormat.Counters.ROWS_WITH_ERRORS).getValue())
        .isEqualTo(10);
    assertThat(rows()).hasSize(100);
  }

  @Test
  void rejectedRowsFailTheTaskBeforeItsEnd() {
    conf.setInt(KuduTableOutputFormat.BUFFER_ROW_COUNT_KEY, 1);
    assertThatThrownBy(
            () ->
                Attempt.write(
                    conf,
                    (table, writer) -> {
                      for (long id = 0; ; id++) { // only an error ends it
                        write(writer, table.newUpdate(), id, "missing");
                      }
                    }))
        .hasMessageContaining("Update row_key=(int64 id=")
        .hasMessageContaining("Not found")
        .hasMessageContaining("kudu.mapreduce.output.ignore.missing");
  }

  @Test
  void duplicatesAndMissingRowsAreIgnoredOnRequest() throws Exception {
    conf.setBoolean(KuduTableOutputFormat.IGNORE_DUPLICATES_KEY, true);
    conf.setBoolean(KuduTableOutputFormat.IGNORE_MISSING_KEY, true);
    write(KuduTable::newInsert, 0, 10, "first");
    write(KuduTable::newInsert, 0, 11, "second");
    write(KuduTable::newDelete, 1, 100, null);
    write(KuduTable::newUpdate, 5, 6, "gone");
    assertThat(rows()).isEqualTo(Map.of(0L, "first"));
  }

  @Test
  void anInterruptedAttemptCanBeRepeated() throws Exception {
    assertThatThrownBy(
            () ->
                Attempt.write(
                    conf,
                    (table, writer) -> {
                      for (long id = 0; id < 2_500; id++) {
                        write(writer, table.newUpsert(), id, "row");
                      }
                      throw new IOException("killed");
                    }))
        .hasMessage("killed");
    assertThat(rows()).isNotEmpty();
    write(KuduTable::newUpsert, 0, 5_000, "row");
    assertThat(rows()).hasSize(5_000);
  }

  @Test
  void operationsOfAnotherClientAreRefused() throws Exception {
    KuduTable other = client.openTable("numbers");
    assertThatThrownBy(
            () ->
                Attempt.write(conf, (table, writer) -> write(writer, other.newInsert(), 1, "row")))
        .hasMessageContaining(
            "A task emitted an operation of another table or client, Insert row_key=(int64 id=1")
        .hasMessageContaining("getTableFromContext");
    assertThatThrownBy(
            () -> Attempt.write(conf, (table, writer) -> writer.write(NullWritable.get(), null)))
        .hasMessageContaining("A task emitted null to table 'numbers'");
  }

  @Test
  void aTableBelongsToItsTaskUntilTheWriterIsClosed() throws Exception {
    TaskAttemptContextImpl one = Attempt.context(new Configuration(conf));
    TaskAttemptContextImpl two = Attempt.context(new Configuration(conf));
    RecordWriter<NullWritable, Operation> first = new KuduTableOutputFormat().getRecordWriter(one);
    RecordWriter<NullWritable, Operation> second = new KuduTableOutputFormat().getRecordWriter(two);
    assertThat(Attempt.tableOf(one)).isNotSameAs(Attempt.tableOf(two));
    String key = one.getConfiguration().get(KuduTableOutputFormat.MULTITON_KEY);
    assertThat(KuduTableOutputFormat.getKuduTable(key)).isSameAs(Attempt.tableOf(one));
    first.close(one);
    assertThatThrownBy(() -> Attempt.tableOf(one))
        .hasMessageContaining("does not write to a table");
    write(second, Attempt.tableOf(two).newInsert(), 1, "row");
    second.close(two);
    second.close(two); // does nothing
    assertThat(KuduTableOutputFormat.getKuduTable(key)).isNull();
  }

  @Test
  void clientsEndWithTheirTasks() throws Exception {
    write(KuduTable::newInsert, 0, 10, "row");
    Set<String> before = clients();
    write(KuduTable::newUpsert, 0, 10, "row");
    conf.set(KuduTableInputFormat.INPUT_TABLE_KEY, "numbers");
    assertThat(Attempt.read(conf, Attempt.splits(conf), row -> row.getLong("id"))).hasSize(10);
    new KuduTableOutputFormat().checkOutputSpecs(new JobContextImpl(conf, null));
    conf.set(KuduTableOutputFormat.OUTPUT_TABLE_KEY, "letters");
    assertThatThrownBy(
            () -> new KuduTableOutputFormat().checkOutputSpecs(new JobContextImpl(conf, null)))
        .hasMessageStartingWith("There is no table 'letters' on the cluster of")
        .hasMessageContaining("kudu.mapreduce.output.table");
    await("the tasks' clients end")
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(before).containsAll(clients()));
  }

  /**
   * The clients that have a thread, by the prefix of the threads' names. A client starts its
   * threads when it first needs them. The threads of a closed client may end a moment later.
   */
  private static Set<String> clients() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("kudu-client-"))
        .map(name -> name.substring(0, name.lastIndexOf('-')))
        .collect(Collectors.toSet());
  }
}
