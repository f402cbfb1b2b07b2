package dev.kudu4j.tserver.write;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.partition.Partition;
import dev.kudu4j.common.partition.PartitionKeyEncoder;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.row.DefaultedCells;
import dev.kudu4j.common.row.RowOperations;
import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.server.replica.write.WriteSize;
import dev.kudu4j.tablet.apply.RowFootprint;
import dev.kudu4j.tserver.error.TabletServerError;
import dev.kudu4j.tserver.tablets.WriteSchema;

/**
 * Checks each row of a write before the write is logged: the row can be decoded, its operation is a
 * write, and it belongs to the tablet. The same pass measures the decoded size of the rows.
 */
final class RowCheck {
  private RowCheck() {}

  /**
   * Checks all rows.
   *
   * @throws TabletServerError MISMATCHED_SCHEMA for rows that do not decode, an unknown or
   *     partitioning operation type, or an unset key column; NOT_FOUND for a row of another tablet.
   *     INVALID_ARGUMENT for more rows, or rows of more bytes, than one request may have. The whole
   *     write is rejected.
   */
  static WriteSize all(
      RowOperations packed,
      WriteSchema schema,
      PartitionSchema partitionSchema,
      Partition partition,
      WriteLimits limits) {
    RowOperationsReader rows = packed.reader();
    PartitionKeyEncoder partitionKeys = schema.partitionKeys(partitionSchema);
    RowFootprint footprint = schema.footprint();
    Defaulted defaulted = null;
    KeyBuffer partitionKey = new KeyBuffer();
    long rowBytes = 0;
    while (next(rows)) {
      if (rows.rowIndex() >= limits.maxRows()) {
        throw limits.tooManyRows();
      }
      if (!rows.type().isWrite()) {
        throw mismatched(
            StatusCode.INVALID_ARGUMENT,
            "Invalid write operation type " + rows.type() + " in row " + rows.rowIndex());
      }
      partitionKey.clear();
      boolean found = partitionKeys.append(rows, partitionKey);
      if (!found && rows.type().fillsDefaults()) {
        defaulted = defaulted == null ? new Defaulted(rows, schema, partitionSchema) : defaulted;
        found = defaulted.append(partitionKey);
      }
      if (!found) {
        throw mismatched(
            StatusCode.INVALID_ARGUMENT, "A key column has no value in row " + rows.rowIndex());
      }
      if (!partition.contains(partitionKey)) {
        throw new TabletServerError(
            TabletServerErrorPB.Code.UNKNOWN_ERROR,
            StatusCode.NOT_FOUND,
            "Row not in tablet partition: row "
                + rows.rowIndex()
                + " of the write belongs to another tablet than "
                + partition);
      }
      rowBytes += footprint.rowBytes(rows.type(), rows.setCount());
    }
    limits.checkExpanded(packed.rowsLength() + rows.textBytes());
    return new WriteSize(
        rows.textBytes(), footprint.totalBytes(rowBytes, packed.rowsLength(), rows.textBytes()));
  }

  /**
   * Computes the partition keys of rows in which a partitioning column is unset and has its
   * default. Such rows are rare.
   */
  private static final class Defaulted {
    private final PartitionKeyEncoder encoder;
    private final DefaultedCells row;

    Defaulted(RowOperationsReader rows, WriteSchema schema, PartitionSchema partitionSchema) {
      this.encoder = schema.defaultedPartitionKeys(partitionSchema);
      this.row = schema.withDefaults(rows);
    }

    boolean append(KeyBuffer partitionKey) {
      partitionKey.clear();
      return encoder.append(row, partitionKey);
    }
  }

  private static boolean next(RowOperationsReader rows) {
    try {
      return rows.next();
    } catch (KuduException e) {
      throw mismatched(e.code(), String.valueOf(e.getMessage()));
    }
  }

  private static TabletServerError mismatched(StatusCode status, String message) {
    return new TabletServerError(TabletServerErrorPB.Code.MISMATCHED_SCHEMA, status, message);
  }
}
