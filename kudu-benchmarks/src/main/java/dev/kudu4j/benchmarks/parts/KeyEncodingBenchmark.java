package dev.kudu4j.benchmarks.parts;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.RowKeyEncoder;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kudu.Type;
import org.apache.kudu.client.PartialRow;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Encoding of one row's primary key (INT64, STRING of 12 bytes, INT32) into bytes that sort like
 * the keys: by the server for a received row, by Kudu4j's client, and by the published client.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class KeyEncodingBenchmark {
  private static final long NUMBER = -4_711;
  private static final String TEXT = "carrier \0 UA";
  private static final int DAY = 15_706;

  private final KeyBuffer key = new KeyBuffer();
  private RowOperationsReader received;
  private RowKeyEncoder encoder;
  private dev.kudu4j.client.PartialRow ours;
  private PartialRow published;

  @Setup
  public void fill() {
    Schema schema =
        new Schema(
            List.of(
                ColumnSchema.builder("a", DataType.INT64).id(0).key(true).build(),
                ColumnSchema.builder("b", DataType.STRING).id(1).key(true).build(),
                ColumnSchema.builder("c", DataType.INT32).id(2).key(true).build()));
    RowOperationsWriter writer = new RowOperationsWriter(RowLayout.of(schema));
    writer.begin(OperationType.INSERT);
    writer.setLong(0, NUMBER).setString(1, TEXT).setInt(2, DAY);
    writer.end();
    received = writer.reader();
    received.next();
    encoder = RowKeyEncoder.ofPrimaryKey(schema, new int[] {0, 1, 2});
    ours = ourRow();
    published = publishedRow();
  }

  private static dev.kudu4j.client.PartialRow ourRow() {
    dev.kudu4j.client.PartialRow row =
        new dev.kudu4j.client.PartialRow(
            new dev.kudu4j.Schema(
                List.of(
                    ourKey("a", dev.kudu4j.Type.INT64),
                    ourKey("b", dev.kudu4j.Type.STRING),
                    ourKey("c", dev.kudu4j.Type.INT32))));
    row.addLong(0, NUMBER);
    row.addString(1, TEXT);
    row.addInt(2, DAY);
    return row;
  }

  private static dev.kudu4j.ColumnSchema ourKey(String name, dev.kudu4j.Type type) {
    return new dev.kudu4j.ColumnSchema.ColumnSchemaBuilder(name, type).key(true).build();
  }

  private static PartialRow publishedRow() {
    PartialRow row =
        new PartialRow(
            new org.apache.kudu.Schema(
                List.of(
                    publishedKey("a", Type.INT64),
                    publishedKey("b", Type.STRING),
                    publishedKey("c", Type.INT32))));
    row.addLong(0, NUMBER);
    row.addString(1, TEXT);
    row.addInt(2, DAY);
    return row;
  }

  private static org.apache.kudu.ColumnSchema publishedKey(String name, Type type) {
    return new org.apache.kudu.ColumnSchema.ColumnSchemaBuilder(name, type).key(true).build();
  }

  @Benchmark
  public int server() {
    key.clear();
    encoder.append(received, key);
    return key.length();
  }

  @Benchmark
  public byte[] client() {
    return ours.encodePrimaryKey();
  }

  @Benchmark
  public byte[] baselinePublishedClient() {
    return published.encodePrimaryKey();
  }
}
