package dev.kudu4j.master.catalog;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.KeyEncoder;
import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.master.catalog.CatalogStore.Change;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.batch.ColumnVector;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Stores the entries of the catalog as rows of its tablet.
 *
 * <pre>
 *   entry_type INT8 | entry_id STRING | part INT32 || metadata BINARY          key || value
 * </pre>
 *
 * <p>A record that is too large for one cell is split into several rows, whose {@code part} counts
 * from 0.
 */
final class CatalogRows {
  /** The schema of the catalog's tablet. Its column ids never change. */
  static final Schema SCHEMA =
      new Schema(
              List.of(
                  ColumnSchema.builder("entry_type", DataType.INT8).key(true).build(),
                  ColumnSchema.builder("entry_id", DataType.STRING).key(true).build(),
                  ColumnSchema.builder("part", DataType.INT32).key(true).build(),
                  ColumnSchema.builder("metadata", DataType.BINARY).build()))
          .withFreshIds();

  static final RowLayout LAYOUT = RowLayout.of(SCHEMA);

  /** Well below the maximum size of a cell. */
  private static final int PART_BYTES = 48 << 10;

  private static final int TYPE = 0;
  private static final int ID = 1;
  private static final int PART = 2;
  private static final int METADATA = 3;

  private CatalogRows() {}

  /** Receives the rows of the catalog's tablet. */
  @FunctionalInterface
  interface RowVisitor {
    void row(EntryKind kind, String id, int part, byte[] metadata);
  }

  /** The number of parts of the change's record; 0 for a removal. */
  static int partCount(Change change) {
    return change.isRemoval()
        ? 0
        : Math.max(1, (change.record().size() + PART_BYTES - 1) / PART_BYTES);
  }

  /** The approximate size in bytes of a change's rows. */
  static int bytes(Change change) {
    int perRow = 64 + change.id().length();
    return (partCount(change) + 1) * perRow + (change.isRemoval() ? 0 : change.record().size());
  }

  /**
   * Appends the row operations that carry out a change.
   *
   * @param partsBefore the number of parts of the entry before the change
   */
  static void append(Change change, int partsBefore, RowOperationsWriter out) {
    int parts = partCount(change);
    for (int part = 0; part < parts; part++) {
      int from = part * PART_BYTES;
      int to = Math.min(change.record().size(), from + PART_BYTES);
      key(out, OperationType.UPSERT, change, part)
          .setCell(METADATA, change.record().substring(from, to).toByteArray())
          .end();
    }
    for (int part = parts; part < partsBefore; part++) {
      key(out, OperationType.DELETE, change, part).end();
    }
  }

  /** Appends an operation that changes nothing. */
  static void appendNothing(RowOperationsWriter out) {
    key(out, OperationType.DELETE_IGNORE, Change.remove(EntryKind.CLUSTER, ""), 0).end();
  }

  private static RowOperationsWriter key(
      RowOperationsWriter out, OperationType operation, Change change, int part) {
    return out.begin(operation)
        .setByte(TYPE, change.kind().number())
        .setString(ID, change.id())
        .setInt(PART, part);
  }

  /** An encoded key that sorts after all parts of an entry, and before those of the next entry. */
  static byte[] behind(EntryKind kind, String id) {
    byte[] text = id.getBytes(StandardCharsets.UTF_8);
    KeyBuffer key = new KeyBuffer();
    KeyEncoder.appendCell(DataType.INT8, new byte[] {kind.number()}, 0, 1, false, key);
    KeyEncoder.appendCell(DataType.STRING, text, 0, text.length, false, key);
    KeyEncoder.appendInt(Integer.MAX_VALUE, key);
    return key.toByteArray();
  }

  /** Passes each row of a batch, scanned with {@link #SCHEMA}, to the visitor. */
  static void read(ColumnBatch batch, RowVisitor visitor) {
    for (int row = 0; row < batch.rowCount(); row++) {
      EntryKind kind = EntryKind.ofNumber(Memory.getByte(batch.column(TYPE).cellAddress(row)));
      String id = new String(bytes(batch.column(ID), row), StandardCharsets.UTF_8);
      int part = Memory.getInt(batch.column(PART).cellAddress(row));
      visitor.row(kind, id, part, bytes(batch.column(METADATA), row));
    }
  }

  private static byte[] bytes(ColumnVector column, int row) {
    byte[] bytes = new byte[column.cellLength(row)];
    Memory.copy(column.cellAddress(row), bytes, 0, bytes.length);
    return bytes;
  }
}
