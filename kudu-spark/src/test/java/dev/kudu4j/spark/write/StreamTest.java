package dev.kudu4j.spark.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.spark.SparkOnKudu;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.DataStreamWriter;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Streams that write tables, also batches that are repeated. */
class StreamTest {
  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  @TempDir Path directory;

  private SparkSession spark;
  private Path input;

  @BeforeEach
  void open() throws IOException {
    spark = KUDU.spark();
    input = Files.createDirectory(directory.resolve("input"));
  }

  private void create(String table) {
    spark.sql(
        "CREATE TABLE k.streams."
            + table
            + " (id INT NOT NULL, name STRING) PARTITIONED BY (bucket(2, id))"
            + " TBLPROPERTIES ('primary-key' = 'id', 'num-replicas' = '1')");
  }

  private List<String> rows(String table) {
    return spark.sql("SELECT * FROM k.streams." + table + " ORDER BY id").collectAsList().stream()
        .map(row -> row.mkString("|"))
        .toList();
  }

  private void file(String name, String rows) throws IOException {
    Files.writeString(input.resolve(name), rows);
  }

  private DataStreamWriter<Row> stream() {
    return spark
        .readStream()
        .schema("id INT, name STRING")
        .csv(input.toString())
        .writeStream()
        .option("checkpointLocation", directory.resolve("checkpoint").toString())
        .trigger(Trigger.AvailableNow());
  }

  private void run(DataStreamWriter<Row> stream, String table) throws Exception {
    stream.toTable("k.streams." + table).awaitTermination();
  }

  /** Makes Spark forget a batch that has failed, so that another one takes its number. */
  private void forgetOffset(int batch) throws IOException {
    Path checkpoint = directory.resolve("checkpoint");
    for (String log : List.of("offsets", "sources/0")) {
      Files.deleteIfExists(checkpoint.resolve(log).resolve(Integer.toString(batch)));
      Files.deleteIfExists(checkpoint.resolve(log).resolve("." + batch + ".crc"));
    }
  }

  /** Makes Spark forget that a batch was committed, as if the driver had died before it knew. */
  private void forgetCommit(int batch) throws IOException {
    Path commits = directory.resolve("checkpoint").resolve("commits");
    Files.delete(commits.resolve(Integer.toString(batch)));
    Files.deleteIfExists(commits.resolve("." + batch + ".crc"));
  }

  @Test
  void aRepeatedBatchOfUpsertsChangesNothing() throws Exception {
    create("upserted");
    file("1.csv", "1,one\n2,two\n");
    run(stream(), "upserted");
    assertThat(rows("upserted")).containsExactly("1|one", "2|two");

    file("2.csv", "2,deux\n3,three\n");
    run(stream(), "upserted");
    forgetCommit(1);
    run(stream(), "upserted");
    assertThat(rows("upserted")).containsExactly("1|one", "2|deux", "3|three");
  }

  @Test
  void aRepeatedBatchOfInsertsIsWrittenOnce() throws Exception {
    create("inserted");
    file("1.csv", "1,one\n2,two\n");
    DataStreamWriter<Row> atomic =
        stream().option("kudu.operation", "insert").option("kudu.atomic", "true");
    run(atomic, "inserted");
    forgetCommit(0);
    file("2.csv", "3,three\n");
    run(atomic, "inserted");
    assertThat(rows("inserted")).containsExactly("1|one", "2|two", "3|three");

    file("2b.csv", "7,seven\n7,twice\n");
    assertThatThrownBy(() -> run(atomic, "inserted")).hasStackTraceContaining("have their keys");
    Files.delete(input.resolve("2b.csv"));
    forgetOffset(2);
    file("3.csv", "4,four\n3,again\n");
    assertThatThrownBy(() -> run(atomic, "inserted")).hasStackTraceContaining("inserted");
    assertThat(rows("inserted")).as("all rows of a batch or none").hasSize(3);
    spark.sql("DELETE FROM k.streams.inserted WHERE id = 3");
    run(atomic, "inserted");
    assertThat(rows("inserted")).containsExactly("1|one", "2|two", "3|again", "4|four");
  }

  @Test
  void aChangedAggregateIsUpserted() throws Exception {
    spark.sql(
        "CREATE TABLE k.streams.counts (name STRING NOT NULL, n BIGINT NOT NULL)"
            + " TBLPROPERTIES ('primary-key' = 'name', 'num-replicas' = '1')");
    file("1.csv", "1,a\n2,a\n3,b\n");
    Dataset<Row> counts =
        spark
            .readStream()
            .schema("id INT, name STRING")
            .csv(input.toString())
            .groupBy("name")
            .count()
            .withColumnRenamed("count", "n");
    DataStreamWriter<Row> updates =
        counts
            .writeStream()
            .outputMode("update")
            .option("checkpointLocation", directory.resolve("checkpoint").toString())
            .trigger(Trigger.AvailableNow());
    run(updates, "counts");
    file("2.csv", "4,b\n");
    run(updates, "counts");
    assertThat(
            spark.sql("SELECT * FROM k.streams.counts ORDER BY name").collectAsList().stream()
                .map(row -> row.mkString("|"))
                .toList())
        .containsExactly("a|2", "b|2");
  }

  @Test
  void whatCannotBeRepeatedIsRefused() throws Exception {
    create("refused");
    file("1.csv", "1,one\n");
    assertThatThrownBy(() -> run(stream().option("kudu.operation", "insert"), "refused"))
        .hasStackTraceContaining("kudu.atomic=true");
    assertThatThrownBy(() -> run(stream().outputMode("complete"), "refused"))
        .isInstanceOf(Exception.class);
    assertThat(rows("refused")).isEmpty();
  }

  @Test
  void theFormatHasNoStreams() {
    Dataset<Row> rate = spark.readStream().format("rate").load();
    assertThatThrownBy(
            () ->
                rate.writeStream()
                    .format("kudu")
                    .option("kudu.master", KUDU.masterAddresses())
                    .option("kudu.table", "streams.any")
                    .option("checkpointLocation", directory.toString())
                    .start())
        .hasMessageContaining("writeStream.toTable");
    assertThatThrownBy(
            () ->
                spark
                    .readStream()
                    .format("kudu")
                    .option("kudu.master", KUDU.masterAddresses())
                    .option("kudu.table", "streams.any")
                    .load())
        .hasMessageContaining("readStream.table");
  }
}
