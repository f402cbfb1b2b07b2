package dev.kudu4j.spark.write;

import static dev.kudu4j.spark.write.RetriedTaskTest.ROWS;
import static dev.kudu4j.spark.write.RetriedTaskTest.expected;
import static dev.kudu4j.spark.write.RetriedTaskTest.row;
import static dev.kudu4j.spark.write.RetriedTaskTest.rowsThatFailOnce;
import static dev.kudu4j.spark.write.RetriedTaskTest.writer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Type;
import dev.kudu4j.spark.SparkOnKudu;
import java.io.IOException;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs with {@code kudu.atomic} whose tasks Spark repeats, or runs twice at the same time. */
class AtomicRetriesTest {
  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  private static final String SPECULATION = "spark.speculation";

  private TestTable table;

  @BeforeEach
  void create() throws Exception {
    table = TestTable.create(KUDU);
  }

  @ParameterizedTest
  @EnumSource(names = {"UPSERT", "INSERT", "INSERT_IGNORE"})
  void aRetriedTaskAddsItsRowsOnce(WriteOperation operation) throws Exception {
    table.writeAtomically(rowsThatFailOnce(KUDU.spark()), operation);

    assertThat(table.rows()).isEqualTo(expected());
  }

  @ParameterizedTest
  @EnumSource(names = {"DELETE", "DELETE_IGNORE"})
  void aRetriedTaskDeletesItsRows(WriteOperation operation) throws Exception {
    table.write(rowsThatFailOnce(KUDU.spark()), WriteOperation.UPSERT);

    table.writeAtomically(rowsThatFailOnce(KUDU.spark()), operation);

    assertThat(table.rows()).isEmpty();
  }

  @Test
  void aRetriedTaskUpdatesItsRows() throws Exception {
    table.write(
        table.values("SELECT CAST(id AS INT) AS id FROM range(" + ROWS + ")"),
        WriteOperation.UPSERT);

    table.writeAtomically(rowsThatFailOnce(KUDU.spark()), WriteOperation.UPDATE);

    assertThat(table.rows()).isEqualTo(expected());
  }

  @Test
  void aRetriedTaskWithAKeyOfSeveralColumnsAddsItsRowsOnce() throws Exception {
    TestTable wide =
        TestTable.create(
            KUDU,
            new ColumnSchemaBuilder("host", Type.STRING).key(true).build(),
            new ColumnSchemaBuilder("at", Type.UNIXTIME_MICROS).key(true).build(),
            new ColumnSchemaBuilder("score", Type.INT64).build());
    Dataset<Row> rows =
        rowsThatFailOnce(KUDU.spark())
            .selectExpr("'h' || id % 50 AS host", "timestamp_seconds(id) AS at", "score");

    wide.writeAtomically(rows, WriteOperation.INSERT);

    assertThat(wide.rows()).hasSize(ROWS);
  }

  /** A key that only the second attempt of its task reaches. */
  @Test
  void aRetriedInsertStillRejectsKeysThatExisted() throws Exception {
    int last = ROWS / 2 - 1;
    table.write(table.values("SELECT " + last + " AS id, 'old' AS name"), WriteOperation.UPSERT);

    assertThatThrownBy(
            () -> table.writeAtomically(rowsThatFailOnce(KUDU.spark()), WriteOperation.INSERT))
        .hasMessageContaining("1 row was not written")
        .hasMessageContaining("int32 id=" + last)
        .hasMessageContaining("Already present");
    assertThat(table.rows()).containsExactly(last + "|old|NULL");
  }

  @Test
  void aRetriedDeleteStillRejectsKeysThatWereMissing() throws Exception {
    int missing = ROWS / 2 - 1;
    table.write(
        table.values(
            "SELECT CAST(id AS INT) AS id FROM range(" + ROWS + ") WHERE id <> " + missing),
        WriteOperation.UPSERT);

    assertThatThrownBy(
            () -> table.writeAtomically(rowsThatFailOnce(KUDU.spark()), WriteOperation.DELETE))
        .hasMessageContaining("1 row was not written")
        .hasMessageContaining("int32 id=" + missing);
    assertThat(table.rows()).hasSize(ROWS - 1);
  }

  /** The tablet refuses them if it has ended the transaction by then, the coordinator otherwise. */
  @Test
  void rowsAfterTheCommitAreLost() throws Exception {
    WriteTarget target = table.target();
    JobTransaction transaction = JobTransaction.begin(target);
    try (DataWriter<InternalRow> loser = writer(target.in(transaction), WriteOperation.UPSERT);
        DataWriter<InternalRow> winner = writer(target.in(transaction), WriteOperation.UPSERT)) {
      write(loser, -1);
      write(winner, IntStream.range(0, ROWS).toArray());
      transaction.commit(new WriterCommitMessage[] {winner.commit()});
      assertThatThrownBy(loser::commit).hasMessageContaining("not open");
    }

    assertThat(table.rows()).isEqualTo(expected());
  }

  private static void write(DataWriter<InternalRow> writer, int... ids) throws IOException {
    for (int id : ids) {
      writer.write(row(id));
    }
  }

  @Test
  void speculativeTasksMayInsertTheSameRows() throws Exception {
    WriteTarget target = table.target();
    SparkEnv.get().conf().set(SPECULATION, "true");
    try {
      JobTransaction transaction = JobTransaction.begin(target);
      try (DataWriter<InternalRow> loser = writer(target.in(transaction), WriteOperation.INSERT);
          DataWriter<InternalRow> winner = writer(target.in(transaction), WriteOperation.INSERT)) {
        write(loser, IntStream.range(0, ROWS / 3).toArray());
        loser.commit();
        write(winner, IntStream.range(0, ROWS).toArray());
        transaction.commit(new WriterCommitMessage[] {winner.commit()});
      }
    } finally {
      SparkEnv.get().conf().remove(SPECULATION);
    }

    assertThat(table.rows()).isEqualTo(expected());
  }

  @Test
  void withoutSpeculationRowsThatWereInsertedTwiceAreRejected() throws Exception {
    WriteTarget target = table.target();
    JobTransaction transaction = JobTransaction.begin(target);
    try (DataWriter<InternalRow> one = writer(target.in(transaction), WriteOperation.INSERT)) {
      write(one, 1, 2, 2);
      WriterCommitMessage[] messages = {one.commit()};
      assertThatThrownBy(() -> transaction.commit(messages))
          .hasMessageContaining("1 row was not inserted")
          .hasMessageContaining("int32 id=2");
    } finally {
      transaction.rollback();
    }
    assertThat(table.rows()).isEmpty();
  }
}
