package dev.kudu4j.tablet.apply;

import dev.kudu4j.common.key.RowKeyEncoder;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.log.WriteRequest;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * What the columns of a request are in the tablet's schema of now. A column that was dropped since
 * the request was admitted is nothing (-1) and ignored. Immutable.
 */
final class RequestColumns {
  private static final int NONE = -1;

  private final Schema schema;
  private final int[] columnIds;
  private final int[] tabletIndex;
  private final int[] requestIndex;
  private final int[] required;
  private final RowKeyEncoder keyEncoder;
  private final RowKeyEncoder tabletKeyEncoder;
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
    this.tabletKeyEncoder = hasKeyDefault(schema) ? tabletKeyEncoder(schema) : null;
    this.required = requiredColumns(schema);
  }

  private int firstMissing(int keyColumns) {
    for (int i = 0; i < keyColumns; i++) {
      if (requestIndex[i] == NONE) {
        return i;
      }
    }
    return NONE;
  }

  private static boolean hasKeyDefault(Schema schema) {
    return schema.columns().stream()
        .anyMatch(column -> column.isKey() && column.writeDefault() != null);
  }

  private static RowKeyEncoder tabletKeyEncoder(Schema schema) {
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

  /** Whether this is what a request looks like under the schema. */
  boolean fits(Schema current, WriteRequest request) {
    return schema == current && Arrays.equals(columnIds, request.columnIds());
  }

  Schema schema() {
    return schema;
  }

  /** Columns of the request. */
  int count() {
    return tabletIndex.length;
  }

  /** The tablet's index of a request's column, or -1. */
  int tabletIndex(int requestColumn) {
    return tabletIndex[requestColumn];
  }

  /** The request's index of a tablet's column, or -1. */
  int requestIndex(int tabletColumn) {
    return requestIndex[tabletColumn];
  }

  /** Tablet indexes of the non-key columns that an insert must set. */
  int[] required() {
    return required;
  }

  RowKeyEncoder keyEncoder() {
    return keyEncoder;
  }

  /** Encodes the key of {@link InsertCells}; null when no key column has a default. */
  RowKeyEncoder tabletKeyEncoder() {
    return tabletKeyEncoder;
  }

  /** A key column that the request does not have at all, or -1; not the auto-incrementing one. */
  int missingKeyColumn() {
    return missingKeyColumn;
  }

  /** Whether the request has all key columns, and none gets its number at apply. */
  boolean bringWholeKeys() {
    return missingKeyColumn == NONE && autoIncrementing == NONE;
  }

  /** The tablet's index of the auto-incrementing column, which is the last of the key; or -1. */
  int autoIncrementing() {
    return autoIncrementing;
  }
}
