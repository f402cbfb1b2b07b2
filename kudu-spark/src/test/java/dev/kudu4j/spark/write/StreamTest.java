package dev.kudu4j.spark.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.spark.SparkOnKudu;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Streams are not supported; the recommended alternative works. */
class StreamTest {
  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  @TempDir Path directory;

  @Test
  void streamsAreRefusedWithAdvice() throws Exception {
    TestTable table = TestTable.create(KUDU);
    Dataset<Row> rate = KUDU.spark().readStream().format("rate").load();

    assertThatThrownBy(
            () ->
                rate.writeStream()
                    .format("kudu")
                    .option("kudu.master", KUDU.masterAddresses())
                    .option("kudu.table", table.name())
                    .option("checkpointLocation", directory.toString())
                    .start())
        .hasMessageContaining("Format kudu does not support streams")
        .hasMessageContaining("use foreachBatch");
    assertThatThrownBy(
            () ->
                KUDU.spark()
                    .readStream()
                    .format("kudu")
                    .option("kudu.master", KUDU.masterAddresses())
                    .option("kudu.table", table.name())
                    .load())
        .hasMessageContaining("Format kudu does not support streams")
        .hasMessageContaining("use spark.read instead of spark.readStream");
  }

  @Test
  void streamIsWrittenBatchByBatch() throws Exception {
    TestTable table = TestTable.create(KUDU);
    Path input = Files.createDirectory(directory.resolve("input"));
    Files.writeString(input.resolve("rows.csv"), "1,one\n2,two\n");

    KUDU.spark()
        .readStream()
        .schema("id INT, name STRING")
        .csv(input.toString())
        .writeStream()
        .foreachBatch(
            (VoidFunction2<Dataset<Row>, Long>)
                (batch, id) -> table.write(batch, WriteOperation.UPSERT))
        .option("checkpointLocation", directory.resolve("checkpoint").toString())
        .trigger(Trigger.AvailableNow())
        .start()
        .awaitTermination();

    assertThat(table.rows()).containsExactly("1|one|NULL", "2|two|NULL");
  }
}
