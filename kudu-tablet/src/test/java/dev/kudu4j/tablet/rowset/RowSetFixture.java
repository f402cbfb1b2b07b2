package dev.kudu4j.tablet.rowset;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.env.StorageHarness;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;

/** Writes small rowsets of keys given as bytes: (key BINARY, value INT64, note STRING NULLABLE). */
public final class RowSetFixture {
  public static final Schema SCHEMA =
      new Schema(
          List.of(
              ColumnSchema.builder("key", DataType.BINARY).id(10).key(true).build(),
              ColumnSchema.builder("value", DataType.INT64).id(11).build(),
              ColumnSchema.builder("note", DataType.STRING).id(12).nullable(true).build()));

  private RowSetFixture() {}

  /** The insert timestamp of a row. */
  public static long timestamp(long ordinal) {
    return 1000 + ordinal * 37 % 100;
  }

  public static long value(long ordinal) {
    return ordinal * ordinal - 1000;
  }

  /** The note of a row, or null. */
  public static byte[] note(long ordinal) {
    return ordinal % 3 == 0
        ? null
        : ("note " + ordinal % 7).getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }

  /** Writes the keys, which rise, in batches of that many rows. */
  public static void write(StorageHarness harness, Path path, List<byte[]> keys, int batchRows)
      throws IOException {
    try (DiskRowSetWriter writer =
        new DiskRowSetWriter(harness.environment(), path, SCHEMA, keys.size())) {
      for (int first = 0; first < keys.size(); first += batchRows) {
        append(harness, writer, keys, first, Math.min(batchRows, keys.size() - first));
      }
      writer.finish();
    }
    harness.files().syncDirectory(path.getParent());
  }

  /** Writes the columns value and note of that many rows anew. */
  public static void writeColumns(StorageHarness harness, Path path, int rows) throws IOException {
    Schema columns = new Schema(List.of(SCHEMA.column(1), SCHEMA.column(2)));
    try (ColumnFileWriter writer = new ColumnFileWriter(harness.environment(), path, columns);
        ColumnBatch batch = new ColumnBatch(harness.allocator(), columns)) {
      for (int i = 0; i < rows; i++) {
        batch.column(0).append(int64(value(i)), 0, 8);
        byte[] note = note(i);
        if (note == null) {
          batch.column(1).appendNull();
        } else {
          batch.column(1).append(note, 0, note.length);
        }
      }
      batch.setRowCount(rows);
      writer.append(batch);
      writer.finish();
    }
    harness.files().syncDirectory(path.getParent());
  }

  static void append(
      StorageHarness harness, DiskRowSetWriter writer, List<byte[]> keys, int first, int rows)
      throws IOException {
    int bytes = 1;
    for (byte[] key : keys.subList(first, first + rows)) {
      bytes += key.length;
    }
    long[] addresses = new long[rows];
    int[] lengths = new int[rows];
    long[] timestamps = new long[rows];
    try (ColumnBatch batch = new ColumnBatch(harness.allocator(), SCHEMA);
        ArrowBuf encoded = harness.allocator().buffer(bytes)) {
      long at = encoded.memoryAddress();
      for (int i = 0; i < rows; i++) {
        byte[] key = keys.get(first + i);
        long ordinal = (long) first + i;
        Memory.copy(key, 0, at, key.length);
        addresses[i] = at;
        lengths[i] = key.length;
        timestamps[i] = timestamp(ordinal);
        at += key.length;
        batch.column(0).append(key, 0, key.length);
        batch.column(1).append(int64(value(ordinal)), 0, 8);
        byte[] note = note(ordinal);
        if (note == null) {
          batch.column(2).appendNull();
        } else {
          batch.column(2).append(note, 0, note.length);
        }
      }
      batch.setRowCount(rows);
      writer.append(batch, addresses, lengths, timestamps);
    }
  }

  private static byte[] int64(long value) {
    return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }
}
