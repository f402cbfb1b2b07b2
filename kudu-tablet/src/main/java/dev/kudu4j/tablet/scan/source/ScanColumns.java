package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The columns that a scan reads, each once, even if it is projected and filtered several times.
 * Immutable. A column's number is its position in this list; files and changes identify columns by
 * id.
 */
public final class ScanColumns {
  /** Takes the place of a column number for the virtual IS_DELETED column of a diff scan. */
  static final int IS_DELETED = -1;

  private final List<ColumnSchema> columns = new ArrayList<>();
  private final int[] projection;
  private final int[] numberById;
  private int nonKeyCount;

  /**
   * @param current defines the key columns and the read defaults
   * @param filtered the columns of predicates and conditions
   */
  public ScanColumns(Schema current, Schema projection, List<ColumnSchema> filtered) {
    this.projection = new int[projection.columnCount()];
    int[] numbers = new int[0];
    for (int i = 0; i < this.projection.length; i++) {
      ColumnSchema column = projection.column(i);
      if (column.type() == DataType.IS_DELETED) {
        this.projection[i] = IS_DELETED;
      } else {
        numbers = want(current, column, numbers);
        this.projection[i] = numbers[column.id()];
      }
    }
    for (ColumnSchema column : filtered) {
      numbers = want(current, column, numbers);
    }
    this.numberById = numbers;
    for (ColumnSchema column : columns) {
      nonKeyCount += column.isKey() ? 0 : 1;
    }
  }

  private int[] want(Schema current, ColumnSchema column, int[] numbers) {
    int id = column.id();
    int index = id == ColumnSchema.NO_ID ? -1 : current.indexOfId(id);
    if (index < 0) {
      throw KuduException.invalidArgument(
          "Column %s (id %d) is not in the tablet's schema %s; use the schema's column ids",
          column, id, current);
    }
    int[] grown = numbers;
    if (id >= numbers.length) {
      grown = Arrays.copyOf(numbers, id + 1);
      Arrays.fill(grown, numbers.length, grown.length, -1);
    }
    if (grown[id] < 0) {
      grown[id] = columns.size();
      columns.add(current.column(index));
    }
    return grown;
  }

  public int count() {
    return columns.size();
  }

  /** The number of columns that can change. */
  int nonKeyCount() {
    return nonKeyCount;
  }

  ColumnSchema column(int number) {
    return columns.get(number);
  }

  /** The number of the column with the id, or -1. */
  public int numberOfId(int id) {
    return id >= 0 && id < numberById.length ? numberById[id] : -1;
  }

  /** The numbers of the columns that the scan returns, or that its aggregation reads. */
  BitSet projected() {
    BitSet numbers = new BitSet();
    for (int number : projection) {
      if (number != IS_DELETED) {
        numbers.set(number);
      }
    }
    return numbers;
  }

  int projectedCount() {
    return projection.length;
  }

  /** The number of an output column, or {@link #IS_DELETED}. */
  int projected(int output) {
    return projection[output];
  }
}
