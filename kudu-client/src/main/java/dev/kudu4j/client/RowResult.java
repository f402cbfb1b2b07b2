package dev.kudu4j.client;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.ColumnarRows;
import dev.kudu4j.client.scan.RowBatch;
import dev.kudu4j.client.scan.RowwiseRows;
import dev.kudu4j.util.DateUtil;
import dev.kudu4j.util.TimestampUtil;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.sql.Date;
import java.sql.Timestamp;
import java.util.Arrays;

/**
 * One row of a scan's result. It points into a batch; when rows are reused, it moves from row to
 * row.
 *
 * <p>Cells are decoded from the bytes of the response on access. Columns are addressed by index in
 * the projection, or by name, which costs a lookup. Accessors throw {@link
 * IllegalArgumentException} if the column has another type or the cell is NULL; check {@link
 * #isNull} first. Not thread-safe.
 */
public abstract class RowResult {
  static final int NULLABLE = 1 << 31;

  static final int INT = bit(Type.INT32) | bit(Type.DATE);
  static final int SHORT = bit(Type.INT16);
  static final int BOOLEAN = bit(Type.BOOL);
  static final int BYTE = bit(Type.INT8);
  static final int LONG = bit(Type.INT64) | bit(Type.UNIXTIME_MICROS);
  static final int FLOAT = bit(Type.FLOAT);
  static final int DOUBLE = bit(Type.DOUBLE);
  static final int DECIMAL = bit(Type.DECIMAL);
  static final int STRING = bit(Type.STRING);
  static final int VARCHAR = bit(Type.VARCHAR);
  static final int BINARY = bit(Type.BINARY);
  static final int VARIABLE = STRING | VARCHAR | BINARY;
  private static final int ARRAY = bit(Type.NESTED);
  private static final int TIMESTAMP = bit(Type.UNIXTIME_MICROS);
  private static final int DATE = bit(Type.DATE);

  /** The kind of each column: the bit of its type, and {@link #NULLABLE}. */
  final int[] kinds;

  private final Schema schema;

  /**
   * @param kinds the result of {@link #kinds(CellLayout, int)}, shared by all rows of a batch
   */
  RowResult(Schema schema, int[] kinds) {
    this.schema = schema;
    this.kinds = kinds;
  }

  /**
   * A reusable cursor over the rows of a batch. The caller positions it on a row before reading
   * cells.
   */
  static RowResult of(RowBatch batch, Schema schema, CellLayout layout, int[] kinds) {
    return batch instanceof ColumnarRows columns
        ? new ColumnarRowResult(schema, layout, kinds, columns)
        : new RowwiseRowResult(schema, layout, kinds, (RowwiseRows) batch);
  }

  /**
   * The kinds of the first {@code columnCount} columns. The other columns are key columns that a
   * scan in key order fetches to merge rows.
   */
  static int[] kinds(CellLayout layout, int columnCount) {
    int[] kinds = new int[columnCount];
    for (int i = 0; i < kinds.length; i++) {
      kinds[i] = bit(Type.of(layout.type(i))) | (layout.isNullable(i) ? NULLABLE : 0);
    }
    return kinds;
  }

  static int bit(Type type) {
    return 1 << type.ordinal();
  }

  /** Moves to the row with this index in the batch. */
  abstract void moveTo(int row);

  public final int getInt(String columnName) {
    return getInt(schema.getColumnIndex(columnName));
  }

  public abstract int getInt(int columnIndex);

  public final short getShort(String columnName) {
    return getShort(schema.getColumnIndex(columnName));
  }

  public abstract short getShort(int columnIndex);

  public final boolean getBoolean(String columnName) {
    return getBoolean(schema.getColumnIndex(columnName));
  }

  public abstract boolean getBoolean(int columnIndex);

  public final byte getByte(String columnName) {
    return getByte(schema.getColumnIndex(columnName));
  }

  public abstract byte getByte(int columnIndex);

  public final long getLong(String columnName) {
    return getLong(schema.getColumnIndex(columnName));
  }

  /** An integer of 64 bits, or the microseconds of a timestamp. */
  public abstract long getLong(int columnIndex);

  public final float getFloat(String columnName) {
    return getFloat(schema.getColumnIndex(columnName));
  }

  public abstract float getFloat(int columnIndex);

  public final double getDouble(String columnName) {
    return getDouble(schema.getColumnIndex(columnName));
  }

  public abstract double getDouble(int columnIndex);

  public final BigDecimal getDecimal(String columnName) {
    return getDecimal(schema.getColumnIndex(columnName));
  }

  public abstract BigDecimal getDecimal(int columnIndex);

  public final Timestamp getTimestamp(String columnName) {
    return getTimestamp(schema.getColumnIndex(columnName));
  }

  public final Timestamp getTimestamp(int columnIndex) {
    check(columnIndex, TIMESTAMP);
    return TimestampUtil.microsToTimestamp(getLong(columnIndex));
  }

  public final Date getDate(String columnName) {
    return getDate(schema.getColumnIndex(columnName));
  }

  public final Date getDate(int columnIndex) {
    check(columnIndex, DATE);
    return DateUtil.epochDaysToSqlDate(getInt(columnIndex));
  }

  public final String getString(String columnName) {
    return getString(schema.getColumnIndex(columnName));
  }

  public final String getString(int columnIndex) {
    check(columnIndex, STRING);
    return getVarLengthData(columnIndex);
  }

  /** The text of a cell. The caller has checked its type and that it is not NULL. */
  protected abstract String getVarLengthData(int columnIndex);

  public final String getVarchar(String columnName) {
    return getVarchar(schema.getColumnIndex(columnName));
  }

  public final String getVarchar(int columnIndex) {
    check(columnIndex, VARCHAR);
    return getVarLengthData(columnIndex);
  }

  public final byte[] getBinaryCopy(String columnName) {
    return getBinaryCopy(schema.getColumnIndex(columnName));
  }

  /** The bytes of a binary or text cell. */
  public abstract byte[] getBinaryCopy(int columnIndex);

  public final ByteBuffer getBinary(String columnName) {
    return getBinary(schema.getColumnIndex(columnName));
  }

  /**
   * A view of the bytes of a binary cell. The bytes stay valid as long as the view is referenced.
   */
  public abstract ByteBuffer getBinary(int columnIndex);

  public final ArrayCellView getArray(String columnName) {
    return getArray(schema.getColumnIndex(columnName));
  }

  /**
   * The elements of an array, read in place; null if the cell is NULL. The view stays valid when
   * the row moves on.
   */
  public final ArrayCellView getArray(int columnIndex) {
    checkValidColumn(columnIndex);
    if (isNull(columnIndex)) {
      return null;
    }
    check(columnIndex, ARRAY);
    return arrayAt(columnIndex, schema.getColumnByIndex(columnIndex));
  }

  /** The array in a column. The caller has checked its type and that it is not NULL. */
  abstract ArrayCellView arrayAt(int columnIndex, ColumnSchema column);

  public final Object getArrayData(String columnName) {
    return getArrayData(schema.getColumnIndex(columnName));
  }

  /**
   * The elements of an array as an array of their Java class, such as {@code Integer[]} or {@code
   * byte[][]}, with null for NULL; null if the cell is NULL.
   */
  public final Object getArrayData(int columnIndex) {
    ArrayCellView array = getArray(columnIndex);
    return array == null ? null : array.toObjects();
  }

  public final boolean isNull(String columnName) {
    return isNull(schema.getColumnIndex(columnName));
  }

  public abstract boolean isNull(int columnIndex);

  public final Object getObject(String columnName) {
    return getObject(schema.getColumnIndex(columnName));
  }

  /**
   * The cell as an object of its type's Java class, a copy of the bytes for BINARY, an array for an
   * array; null for NULL.
   */
  public final Object getObject(int columnIndex) {
    checkValidColumn(columnIndex);
    if (isNull(columnIndex)) {
      return null;
    }
    return switch (getColumnType(columnIndex)) {
      case BOOL -> getBoolean(columnIndex);
      case INT8 -> getByte(columnIndex);
      case INT16 -> getShort(columnIndex);
      case INT32 -> getInt(columnIndex);
      case INT64 -> getLong(columnIndex);
      case DATE -> getDate(columnIndex);
      case UNIXTIME_MICROS -> getTimestamp(columnIndex);
      case FLOAT -> getFloat(columnIndex);
      case DOUBLE -> getDouble(columnIndex);
      case VARCHAR -> getVarchar(columnIndex);
      case STRING -> getString(columnIndex);
      case BINARY -> getBinaryCopy(columnIndex);
      case DECIMAL -> getDecimal(columnIndex);
      case NESTED -> getArrayData(columnIndex);
    };
  }

  /** Whether a column marks deleted rows, as in a diff scan. */
  public final boolean hasIsDeleted() {
    return schema.hasIsDeleted();
  }

  /** Whether the row was deleted within the interval of the diff scan. */
  public final boolean isDeleted() {
    return getBoolean(schema.getIsDeletedIndex());
  }

  public final Type getColumnType(String columnName) {
    return schema.getColumn(columnName).getType();
  }

  public final Type getColumnType(int columnIndex) {
    return schema.getColumnByIndex(columnIndex).getType();
  }

  /** The columns of the row; the same as {@link #getColumnProjection}. */
  public final Schema getSchema() {
    return schema;
  }

  public final Schema getColumnProjection() {
    return schema;
  }

  /** Checks that the column exists, its cell is not NULL and its type is one of {@code wanted}. */
  final void check(int columnIndex, int wanted) {
    checkValidColumn(columnIndex);
    int kind = kinds[columnIndex];
    if (kind < 0 && isNull(columnIndex)) {
      throw new IllegalArgumentException(
          "The requested column (name: "
              + schema.getColumnByIndex(columnIndex).getName()
              + ", index: "
              + columnIndex
              + ") is null");
    }
    if ((kind & wanted) == 0) {
      throw wrongType(columnIndex, wanted);
    }
  }

  final void checkValidColumn(int columnIndex) {
    if (columnIndex < 0 || columnIndex >= kinds.length) {
      throw new IndexOutOfBoundsException(
          "Requested column is out of range, " + columnIndex + " out of " + kinds.length);
    }
  }

  private IllegalArgumentException wrongType(int columnIndex, int wanted) {
    ColumnSchema column = schema.getColumnByIndex(columnIndex);
    Type[] types =
        Arrays.stream(Type.values()).filter(type -> (wanted & bit(type)) != 0).toArray(Type[]::new);
    return new IllegalArgumentException(
        "Column (name: "
            + column.getName()
            + ", index: "
            + columnIndex
            + ") is of type "
            + column.getType().getName()
            + " but was requested as a type "
            + Arrays.toString(types));
  }

  /** The row as text: {@code INT32 key=1, STRING name=x}. */
  public String rowToString() {
    return text(0, kinds.length);
  }

  /** Some columns as text, like {@link #rowToString}. */
  final String text(int firstColumn, int endColumn) {
    StringBuilder text = new StringBuilder();
    for (int i = firstColumn; i < endColumn; i++) {
      ColumnSchema column = schema.getColumnByIndex(i);
      if (i > firstColumn) {
        text.append(", ");
      }
      Type scalar = Type.of(column.toCommon().scalarType());
      text.append(scalar.name()).append(column.isArray() ? "[]" : "");
      if (column.getTypeAttributes() != null) {
        text.append(column.getTypeAttributes().toStringForType(scalar));
      }
      text.append(' ').append(column.getName()).append('=');
      text.append(valueText(i));
    }
    return text.toString();
  }

  private String valueText(int columnIndex) {
    if (isNull(columnIndex)) {
      return "NULL";
    }
    return switch (getColumnType(columnIndex)) {
      case BINARY -> PrintableBytes.of(getBinaryCopy(columnIndex));
      case UNIXTIME_MICROS -> TimestampUtil.timestampToString(getLong(columnIndex));
      case NESTED -> String.valueOf(getArray(columnIndex));
      default -> String.valueOf(getObject(columnIndex));
    };
  }

  /** The position in the batch and the row as text. */
  public String toStringLongFormat() {
    return this + "{" + rowToString() + "}";
  }
}
