package dev.kudu4j.tablet.scan.sink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.expression.SampleHash;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.memory.Allocators;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HashSumSinkTest {
  private static final int BITS = 4;

  private final BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);

  /** A row of the columns id, name and price, of which the last two may be null. */
  private record Row(long id, String name, Integer price) {}

  @AfterEach
  void nothingLeaks() {
    assertThat(allocator.getAllocatedMemory()).isZero();
    allocator.close();
  }

  private static Schema schema(boolean nullable) {
    return new Schema(
        List.of(
            ColumnSchema.builder("id", DataType.INT64).build(),
            ColumnSchema.builder("name", DataType.STRING).nullable(nullable).build(),
            ColumnSchema.builder("price", DataType.INT32).nullable(nullable).build()));
  }

  private HashSumSink sink(boolean nullable, List<Row> rows) {
    HashSumSink sink = new HashSumSink(1, BITS);
    for (int from = 0; from < rows.size(); from += 100) {
      try (ColumnBatch batch = new ColumnBatch(allocator, schema(nullable))) {
        List<Row> part = rows.subList(from, Math.min(rows.size(), from + 100));
        for (Row row : part) {
          byte[] id = new byte[Long.BYTES];
          LittleEndian.putLong(id, 0, row.id);
          batch.column(0).append(id, 0, id.length);
          append(batch, 1, row.name == null ? null : row.name.getBytes(StandardCharsets.UTF_8));
          append(batch, 2, row.price == null ? null : bytes(row.price));
        }
        batch.setRowCount(part.size());
        sink.add(batch);
      }
    }
    return sink;
  }

  private static byte[] bytes(int number) {
    byte[] bytes = new byte[Integer.BYTES];
    LittleEndian.putInt(bytes, 0, number);
    return bytes;
  }

  private static void append(ColumnBatch batch, int column, byte[] cell) {
    if (cell == null) {
      batch.column(column).appendNull();
    } else {
      batch.column(column).append(cell, 0, cell.length);
    }
  }

  private static List<Row> rows(int count) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(new Row(i, "name " + i % 7, i));
    }
    return rows;
  }

  @Test
  void sumsDependNeitherOnTheOrderOfRowsNorOnNullability() {
    List<Row> rows = rows(1000);
    long[] sums = sink(false, rows).sums();
    Collections.shuffle(rows, new Random(1));
    HashSumSink other = sink(true, rows);
    assertThat(other.sums()).isEqualTo(sums);
    assertThat(other.rowCount()).isEqualTo(1000);
  }

  @Test
  void aRowIsInTheBucketOfItsSample() {
    List<Row> rows = rows(500);
    long[] expected = new long[1 << BITS];
    for (Row row : rows) {
      long key = SampleHash.add(SampleHash.start(0), row.id);
      int bucket = 0;
      while (SampleHash.place(key) >= SampleHash.bound((bucket + 1) / (double) (1 << BITS))) {
        bucket++;
      }
      expected[bucket] += onlySum(row);
    }
    assertThat(sink(false, rows).sums()).isEqualTo(expected).doesNotContain(0);
  }

  /** The hash of a row. */
  private long onlySum(Row row) {
    long sum = 0;
    for (long each : sink(true, List.of(row)).sums()) {
      sum += each;
    }
    return sum;
  }

  @Test
  void rowsThatExchangeCellsAreFound() {
    List<Row> rows = rows(64);
    for (int i = 1; i < 64; i++) {
      List<Row> exchanged = new ArrayList<>(rows);
      exchanged.set(0, new Row(0, rows.get(0).name, i));
      exchanged.set(i, new Row(i, rows.get(i).name, 0));
      assertThat(sink(false, exchanged).sums()).isNotEqualTo(sink(false, rows).sums());
    }
  }

  @Test
  void nullIsAValue() {
    Row row = new Row(1, null, 0);
    assertThat(onlySum(row))
        .isNotEqualTo(onlySum(new Row(1, "", 0)))
        .isNotEqualTo(onlySum(new Row(1, null, null)));
  }
}
