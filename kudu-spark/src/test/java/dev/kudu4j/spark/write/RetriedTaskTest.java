package dev.kudu4j.spark.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.spark.SparkOnKudu;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tasks that Spark repeats, or runs twice at the same time. */
class RetriedTaskTest {
  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  static final int ROWS = 3_000;

  private TestTable table;

  @BeforeEach
  void create() throws Exception {
    table = TestTable.create(KUDU);
  }

  /** Rows for tasks whose first attempt fails after two thirds of them. */
  static Dataset<Row> rowsThatFailOnce(SparkSession spark) {
    return spark
        .range(0, ROWS, 1, 2)
        .map((MapFunction<Long, Integer>) RetriedTaskTest::failLate, Encoders.INT())
        .selectExpr("value AS id", "'n' || value AS name", "CAST(value AS BIGINT) AS score");
  }

  static int failLate(long id) {
    boolean late = id % (ROWS / 2) > ROWS / 3;
    if (late && TaskContext.get().attemptNumber() == 0) {
      throw new IllegalStateException("This attempt ends here");
    }
    return (int) id;
  }

  static List<String> expected() {
    return IntStream.range(0, ROWS).mapToObj(i -> i + "|n" + i + "|" + i).sorted().toList();
  }

  @Test
  void retriedTaskOfAnUpsertDoesNoHarm() throws Exception {
    table.write(rowsThatFailOnce(KUDU.spark()), WriteOperation.UPSERT);

    assertThat(table.rows()).isEqualTo(expected());
  }

  @Test
  void retriedTaskOfAnInsertIgnoreDoesNoHarm() throws Exception {
    table.write(rowsThatFailOnce(KUDU.spark()), WriteOperation.INSERT_IGNORE);

    assertThat(table.rows()).isEqualTo(expected());
  }

  @Test
  void aRetriedInsertTaskGetsAnErrorWithAdvice() {
    assertThatThrownBy(() -> table.write(rowsThatFailOnce(KUDU.spark()), WriteOperation.INSERT))
        .hasMessageContaining("Already present")
        .hasMessageContaining("This task is a retry")
        .hasMessageContaining("insert_ignore");
  }

  @Test
  void retriedTaskOfAnUpdateChangesEachRowOnce() throws Exception {
    fill();

    KUDU.spark().sql("UPDATE " + table.sqlName() + " SET score = score + fail_once(id)");

    assertThat(table.rows())
        .isEqualTo(
            IntStream.range(0, ROWS).mapToObj(i -> i + "|n" + i + "|" + 2 * i).sorted().toList());
  }

  @Test
  void retriedTaskThatMovesRowsLosesNone() throws Exception {
    fill();

    KUDU.spark().sql("UPDATE " + table.sqlName() + " SET id = CAST(fail_once(id) + 7 AS INT)");

    assertThat(table.rows())
        .isEqualTo(
            IntStream.range(0, ROWS).mapToObj(i -> (i + 7) + "|n" + i + "|" + i).sorted().toList());
  }

  private void fill() {
    table.write(
        table.values(
            "SELECT CAST(id AS INT) AS id, 'n' || id AS name, id AS score FROM range("
                + ROWS
                + ")"),
        WriteOperation.UPSERT);
    KUDU.spark()
        .udf()
        .register("fail_once", (UDF1<Integer, Long>) id -> (long) failLate(id), DataTypes.LongType);
  }

  @Test
  void twoAttemptsAtATimeWriteTheSameRows() throws Exception {
    WriteTarget target = table.target();

    try (DataWriter<InternalRow> one = writer(target, WriteOperation.UPSERT);
        DataWriter<InternalRow> other = writer(target, WriteOperation.UPSERT)) {
      for (int i = 0; i < ROWS; i++) {
        one.write(row(i));
        if (i % 3 == 0) {
          other.write(row(i));
        }
      }
      one.commit();
      other.abort();
    }

    assertThat(table.rows()).isEqualTo(expected());
  }

  /** A writer of one attempt. */
  static DataWriter<InternalRow> writer(WriteTarget target, WriteOperation operation)
      throws IOException {
    StructType data =
        new StructType(
            new StructField[] {
              DataTypes.createStructField("id", DataTypes.IntegerType, false),
              DataTypes.createStructField("name", DataTypes.StringType, true),
              DataTypes.createStructField("score", DataTypes.LongType, true)
            });
    return new KuduDataWriter(
        target,
        new WriteSettings(operation, List.of(), false, false, false, false, false, false),
        data);
  }

  static InternalRow row(int i) {
    return new GenericInternalRow(new Object[] {i, UTF8String.fromString("n" + i), (long) i});
  }

  @Test
  void manyRefusedRowsAreCountedAndTheFirstAreShown() throws Exception {
    Dataset<Row> rows =
        table.values("SELECT CAST(id AS INT) AS id, 'x' AS name FROM range(0, 5000, 1, 1)");
    table.write(rows, WriteOperation.UPSERT);

    assertThatThrownBy(() -> table.write(rows, WriteOperation.INSERT))
        .hasMessageContaining("rows were not written")
        .hasMessageContaining("Insert row_key=(int32 id=")
        .hasMessageContaining("... and others");
  }
}
