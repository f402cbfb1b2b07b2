package dev.kudu4j.tablet.apply;

import dev.kudu4j.common.key.RowKeyEncoder;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.log.WriteRequest;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Maps the columns of a request to the tablet's current schema. A column that was dropped after the
 * request was admitted maps to -1 and is ignored. Immutable.
 */
final class RequestColumns {
  private static final int NONE = -1;

  private final Schema schema;
  private final int[] columnIds;
  private final int[] tabletIndex;
  private final int[] requestIndex;
  private final int[] required;
  private final int[] arrays;
  private final RowKeyEncoder keyEncoder;
  private final RowKeyEncoder defaultedKeyEncoder;
  private final int missingKeyColumn;
  private final int autoIncrementing;

  RequestColumns(Schema schema, int[] columnIds) {
    this.schema = schema;
    this.columnIds = columnIds;
    this.tabletIndex = new int[columnIds.length];
    this.requestIndex = new int[schema.columnCount()];
    Arrays.fill(requestIndex, NONE);
    for (int i = 0; i < columnIds.length; i++) {
      tabletIndex[i] = schema.indexOfId(columnIds[i]);
      if (tabletIndex[i] >= 0) {
        requestIndex[tabletIndex[i]] = i;
      }
    }
    int keys = schema.keyColumnCount();
    boolean numbered = schema.column(keys - 1).isAutoIncrementing();
    this.autoIncrementing = numbered ? keys - 1 : NONE;
    this.missingKeyColumn = firstMissing(numbered ? keys - 1 : keys);
    this.keyEncoder = RowKeyEncoder.ofPrimaryKey(schema, Arrays.copyOf(requestIndex, keys));
    this.defaultedKeyEncoder = defaultedKeyEncoder(schema);
    this.required = requiredColumns(schema);
    this.arrays =
        IntStream.range(0, tabletIndex.length)
            .filter(i -> tabletIndex[i] >= 0 && schema.column(tabletIndex[i]).isArray())
            .toArray();
  }

  private int firstMissing(int keyColumns) {
    for (int i = 0; i < keyColumns; i++) {
      if (requestIndex[i] == NONE) {
        return i;
      }
    }
    return NONE;
  }

  private static RowKeyEncoder defaultedKeyEncoder(Schema schema) {
    return RowKeyEncoder.ofPrimaryKey(
        schema, IntStream.range(0, schema.keyColumnCount()).toArray());
  }

  /** Non-key columns that an insert must set. */
  private static int[] requiredColumns(Schema schema) {
    int[] columns = new int[schema.columnCount()];
    int count = 0;
    for (int i = schema.keyColumnCount(); i < columns.length; i++) {
      ColumnSchema column = schema.column(i);
      if (!column.isNullable() && column.writeDefault() == null) {
        columns[count++] = i;
      }
    }
    return Arrays.copyOf(columns, count);
  }

  /** Whether this mapping is valid for the request under the schema. */
  @SuppressWarnings("ReferenceEquality") // a schema is replaced when it changes
  boolean fits(Schema current, WriteRequest request) {
    return schema == current && Arrays.equals(columnIds, request.columnIds());
  }

  Schema schema() {
    return schema;
  }

  /** The number of columns in the request. */
  int count() {
    return tabletIndex.length;
  }

  /** The tablet's index of a request column, or -1. */
  int tabletIndex(int requestColumn) {
    return tabletIndex[requestColumn];
  }

  /** The request's index of a tablet column, or -1. */
  int requestIndex(int tabletColumn) {
    return requestIndex[tabletColumn];
  }

  /** Tablet indexes of the non-key columns that an insert must set. */
  int[] required() {
    return required;
  }

  /** The request's indexes of the array columns. */
  int[] arrays() {
    return arrays;
  }

  RowKeyEncoder keyEncoder() {
    return keyEncoder;
  }

  /** Encodes the key from {@link InsertCells}, which contain the defaults. */
  RowKeyEncoder defaultedKeyEncoder() {
    return defaultedKeyEncoder;
  }

  /** A key column that the request lacks, or -1; never the auto-incrementing column. */
  int missingKeyColumn() {
    return missingKeyColumn;
  }

  /** Whether the request has all key columns and no key column is auto-incrementing. */
  boolean haveCompleteKeys() {
    return missingKeyColumn == NONE && autoIncrementing == NONE;
  }

  /** The tablet's index of the auto-incrementing column, which is the last key column; or -1. */
  int autoIncrementing() {
    return autoIncrementing;
  }
}
