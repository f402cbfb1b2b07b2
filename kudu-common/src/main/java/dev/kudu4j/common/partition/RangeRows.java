package dev.kudu4j.common.partition;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.KeyEncoder;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads range bounds and split rows from packed row operations and normalizes them: lower bounds
 * inclusive, upper bounds exclusive, encoded.
 *
 * <p>An exclusive lower or inclusive upper bound is converted to the next key by incrementing its
 * last column. If that column is at its maximum, it is set to its minimum and the previous column
 * is incremented. An unset column counts as its minimum; a row with no column set is unbounded.
 *
 * <p>Invalid ranges are INVALID_ARGUMENT, which the master reports as {@code UNKNOWN_ERROR}.
 */
public final class RangeRows {
  private static final byte[] UNBOUNDED = new byte[0];

  private final PartitionSchema partitionSchema;
  private final Schema table;
  private final List<ColumnSchema> rangeColumns;
  private final int[] columnOfTable;
  private final int[] columnOfRange;
  private final List<RangeBounds> bounds = new ArrayList<>();
  private final List<byte[]> splits = new ArrayList<>();

  private RangeRows(PartitionSchema partitionSchema, Schema table, int[] columnOfTable) {
    this.partitionSchema = partitionSchema;
    this.table = table;
    this.rangeColumns = partitionSchema.rangeColumns(table);
    this.columnOfTable = columnOfTable;
    this.columnOfRange =
        partitionSchema.rangeColumnIds().stream()
            .mapToInt(id -> columnOfTable[table.indexOfId(id)])
            .toArray();
  }

  /**
   * Reads all rows.
   *
   * @param columnOfTable the index of each column of {@code table} in the reader's layout, or -1 if
   *     the layout lacks the column
   * @throws KuduException INVALID_ARGUMENT for rows that are neither bounds nor splits, and for
   *     empty ranges
   */
  public static RangeRows read(
      RowOperationsReader rows,
      PartitionSchema partitionSchema,
      Schema table,
      int[] columnOfTable) {
    RangeRows read = new RangeRows(partitionSchema, table, columnOfTable);
    while (rows.next()) {
      read.readOne(rows);
    }
    return read;
  }

  /** The range partitions, in the order given. */
  public List<RangeBounds> bounds() {
    return bounds;
  }

  /** The encoded split rows, in the order given. */
  public List<byte[]> splits() {
    return splits;
  }

  /**
   * The only pair of bounds.
   *
   * @throws KuduException INVALID_ARGUMENT if there is not exactly one pair
   */
  public RangeBounds onlyBounds() {
    if (bounds.size() != 1 || !splits.isEmpty()) {
      throw KuduException.invalidArgument(
          "expected two row operations, a lower and an upper bound of one range partition");
    }
    return bounds.get(0);
  }

  private void readOne(RowOperationsReader rows) {
    switch (rows.type()) {
      case SPLIT_ROW -> splits.add(readSplit(rows));
      case RANGE_LOWER_BOUND, EXCLUSIVE_RANGE_LOWER_BOUND -> bounds.add(readBounds(rows));
      case RANGE_UPPER_BOUND, INCLUSIVE_RANGE_UPPER_BOUND ->
          throw KuduException.invalidArgument(
              "missing lower range bound: row %d is an upper bound", rows.rowIndex());
      default ->
          throw KuduException.invalidArgument(
              "Illegal row operation type %s in split rows and range bounds", rows.type());
    }
  }

  private byte[] readSplit(RowOperationsReader rows) {
    byte @Nullable [][] cells = cells(rows);
    if (cells == null) {
      throw KuduException.invalidArgument(
          "split rows must contain a value for at least one range partition column");
    }
    return encode(cells);
  }

  private RangeBounds readBounds(RowOperationsReader rows) {
    boolean inclusive = rows.type() == OperationType.RANGE_LOWER_BOUND;
    byte @Nullable [][] cells = cells(rows);
    byte[] lower = cells == null ? UNBOUNDED : inclusive ? encode(cells) : exclusiveLower(cells);
    byte[] upper = readUpper(rows);
    RangeBounds range = new RangeBounds(lower, upper);
    if (range.isEmpty()) {
      throw KuduException.invalidArgument(
          "range partition lower bound must be less than the upper bound: %s",
          RangeText.of(range, partitionSchema, table));
    }
    return range;
  }

  private byte[] exclusiveLower(byte[][] cells) {
    byte @Nullable [] next = next(cells);
    if (next == null) {
      throw KuduException.invalidArgument(
          "Exclusive lower bound range partition key must not have maximum values for all"
              + " components: %s",
          RangeText.ofKey(encode(cells), rangeColumns));
    }
    return next;
  }

  private byte[] readUpper(RowOperationsReader rows) {
    if (!rows.next()
        || (rows.type() != OperationType.RANGE_UPPER_BOUND
            && rows.type() != OperationType.INCLUSIVE_RANGE_UPPER_BOUND)) {
      throw KuduException.invalidArgument(
          "missing upper range bound: a lower bound must be followed by an upper bound");
    }
    byte @Nullable [][] cells = cells(rows);
    if (cells == null) {
      return UNBOUNDED;
    }
    if (rows.type() == OperationType.RANGE_UPPER_BOUND) {
      return encode(cells);
    }
    byte @Nullable [] next = next(cells);
    return next == null ? UNBOUNDED : next;
  }

  /** The cells of the range columns, with the minimum for unset ones; null if none is set. */
  private byte @Nullable [][] cells(RowOperationsReader rows) {
    byte[][] cells = new byte[columnOfRange.length][];
    int setCount = 0;
    for (int i = 0; i < cells.length; i++) {
      int column = columnOfRange[i];
      if (column >= 0 && rows.hasCell(column)) {
        cells[i] = rows.cell(column);
        setCount++;
      } else {
        cells[i] = CellOrder.minimum(rangeColumns.get(i).type());
      }
    }
    if (rows.setCount() != setCount) {
      throw KuduException.invalidArgument(
          "split rows may only contain values for range partition columns: %s",
          nonRangeColumn(rows));
    }
    return setCount == 0 ? null : cells;
  }

  private String nonRangeColumn(RowOperationsReader rows) {
    for (int i = 0; i < columnOfTable.length; i++) {
      ColumnSchema column = table.column(i);
      if (columnOfTable[i] >= 0 && rows.isSet(columnOfTable[i]) && !rangeColumns.contains(column)) {
        return column.name();
      }
    }
    return "a column that the table does not have";
  }

  private byte[] encode(byte[][] cells) {
    KeyBuffer key = new KeyBuffer();
    for (int i = 0; i < cells.length; i++) {
      KeyEncoder.appendCell(
          rangeColumns.get(i).type(), cells[i], 0, cells[i].length, i == cells.length - 1, key);
    }
    return key.toByteArray();
  }

  /**
   * The encoded key after the key of {@code cells}; null if no key is greater than {@code cells}.
   */
  private byte @Nullable [] next(byte[][] cells) {
    byte[][] stepped = cells.clone();
    for (int i = stepped.length - 1; i >= 0; i--) {
      byte @Nullable [] successor = CellOrder.successor(rangeColumns.get(i).type(), stepped[i]);
      if (successor != null) {
        stepped[i] = successor;
        return encode(stepped);
      }
      stepped[i] = CellOrder.minimum(rangeColumns.get(i).type());
    }
    return null;
  }
}
