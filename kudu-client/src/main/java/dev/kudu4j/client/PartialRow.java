package dev.kudu4j.client;

import dev.kudu4j.ArrayForm;
import dev.kudu4j.CellForm;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.row.PackedRows;
import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.KeyEncoder;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.util.DateUtil;
import dev.kudu4j.util.DecimalUtil;
import dev.kudu4j.util.TimestampUtil;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Date;
import java.sql.Timestamp;
import java.util.Arrays;

/**
 * A row in which some columns of the schema are set.
 *
 * <p>Columns are addressed by name or by index; the index is faster. Setting a column again
 * replaces its value. A row belongs to one operation: after the operation is applied to a session,
 * the row cannot be changed. Methods throw {@link IllegalArgumentException} if the schema lacks the
 * column or the column has another type. Not thread-safe.
 *
 * <p>The methods {@code addArray...} set array columns. {@link RowShape} defines the layout in
 * memory: fixed-width cells in one array, variable-length cells by reference.
 */
public final class PartialRow extends ArrayColumns {
  /** The powers of ten that fit into a long. */
  private static final long[] POWERS_OF_TEN = new long[19];

  static {
    POWERS_OF_TEN[0] = 1;
    for (int i = 1; i < POWERS_OF_TEN.length; i++) {
      POWERS_OF_TEN[i] = 10 * POWERS_OF_TEN[i - 1];
    }
  }

  private final Schema schema;
  private final RowShape shape;
  private final byte[] image;
  private final byte[][] texts;
  private int textBytes; // sum over all variable-length cells
  private boolean frozen;

  /** A row with no column set. {@link Schema#newPartialRow} is cheaper. */
  public PartialRow(Schema schema) {
    this(schema, new RowShape(schema));
  }

  private PartialRow(Schema schema, RowShape shape) {
    this.schema = schema;
    this.shape = shape;
    this.image = new byte[shape.imageBytes];
    this.texts = new byte[shape.textColumns.length][];
  }

  /** A mutable copy. */
  PartialRow(PartialRow that) {
    this.schema = that.schema;
    this.shape = that.shape;
    this.image = that.image.clone();
    this.texts = that.texts.clone();
    this.textBytes = that.textBytes;
  }

  /** Another row of the same schema, with no column set. */
  public PartialRow newRow() {
    return new PartialRow(schema, shape);
  }

  public Schema getSchema() {
    return schema;
  }

  RowShape shape() {
    return shape;
  }

  // Setting cells: check the column, mark it as set, write the cell.

  public void addBoolean(int columnIndex, boolean val) {
    image[set(columnIndex, Type.BOOL)] = (byte) (val ? 1 : 0);
  }

  public void addBoolean(String columnName, boolean val) {
    addBoolean(schema.getColumnIndex(columnName), val);
  }

  public void addByte(int columnIndex, byte val) {
    image[set(columnIndex, Type.INT8)] = val;
  }

  public void addByte(String columnName, byte val) {
    addByte(schema.getColumnIndex(columnName), val);
  }

  public void addShort(int columnIndex, short val) {
    LittleEndian.putShort(image, set(columnIndex, Type.INT16), val);
  }

  public void addShort(String columnName, short val) {
    addShort(schema.getColumnIndex(columnName), val);
  }

  public void addInt(int columnIndex, int val) {
    LittleEndian.putInt(image, set(columnIndex, Type.INT32), val);
  }

  public void addInt(String columnName, int val) {
    addInt(schema.getColumnIndex(columnName), val);
  }

  /** Sets an INT64, or a UNIXTIME_MICROS as microseconds since the epoch. */
  public void addLong(int columnIndex, long val) {
    LittleEndian.putLong(image, set(columnIndex, Type.INT64, Type.UNIXTIME_MICROS), val);
  }

  public void addLong(String columnName, long val) {
    addLong(schema.getColumnIndex(columnName), val);
  }

  public void addFloat(int columnIndex, float val) {
    LittleEndian.putInt(image, set(columnIndex, Type.FLOAT), Float.floatToRawIntBits(val));
  }

  public void addFloat(String columnName, float val) {
    addFloat(schema.getColumnIndex(columnName), val);
  }

  public void addDouble(int columnIndex, double val) {
    LittleEndian.putLong(image, set(columnIndex, Type.DOUBLE), Double.doubleToRawLongBits(val));
  }

  public void addDouble(String columnName, double val) {
    addDouble(schema.getColumnIndex(columnName), val);
  }

  /**
   * Sets a decimal.
   *
   * @throws IllegalArgumentException when {@code val} does not fit the column's precision and scale
   *     without rounding
   */
  public void addDecimal(int columnIndex, BigDecimal val) {
    check(columnIndex, Type.DECIMAL);
    dev.kudu4j.common.schema.ColumnSchema column = schema.toCommon().column(columnIndex);
    BigDecimal coerced = val;
    if (val.scale() != column.scale() || val.precision() > column.precision()) {
      coerced = DecimalUtil.coerce(val, column.precision(), column.scale());
    }
    int at = mark(columnIndex);
    switch (shape.widths[columnIndex]) {
      case 4 -> LittleEndian.putInt(image, at, coerced.unscaledValue().intValue());
      case 8 -> LittleEndian.putLong(image, at, coerced.unscaledValue().longValue());
      default -> CellForm.putUnscaled(coerced.unscaledValue(), image, at, 16);
    }
  }

  public void addDecimal(String columnName, BigDecimal val) {
    addDecimal(schema.getColumnIndex(columnName), val);
  }

  /**
   * Sets a decimal to an unscaled value: 1250 is 12.50 in a column of scale 2.
   *
   * @throws IllegalArgumentException when {@code unscaled} has more digits than the column's
   *     precision
   */
  public void addDecimalUnscaled(int columnIndex, long unscaled) {
    check(columnIndex, Type.DECIMAL);
    int precision = schema.toCommon().column(columnIndex).precision();
    if (precision < POWERS_OF_TEN.length
        && (unscaled <= -POWERS_OF_TEN[precision] || unscaled >= POWERS_OF_TEN[precision])) {
      throw new IllegalArgumentException(
          "Unscaled value "
              + unscaled
              + " has more than the "
              + precision
              + " digits of column "
              + nameOf(columnIndex));
    }
    int at = mark(columnIndex);
    switch (shape.widths[columnIndex]) {
      case 4 -> LittleEndian.putInt(image, at, (int) unscaled);
      case 8 -> LittleEndian.putLong(image, at, unscaled);
      default -> {
        LittleEndian.putLong(image, at, unscaled);
        LittleEndian.putLong(image, at + 8, unscaled >> 63);
      }
    }
  }

  /** Sets a UNIXTIME_MICROS; nanoseconds beyond whole microseconds are cut off. */
  public void addTimestamp(int columnIndex, Timestamp val) {
    check(columnIndex, Type.UNIXTIME_MICROS);
    long micros = TimestampUtil.timestampToMicros(val);
    LittleEndian.putLong(image, mark(columnIndex), micros);
  }

  public void addTimestamp(String columnName, Timestamp val) {
    addTimestamp(schema.getColumnIndex(columnName), val);
  }

  /** Sets a DATE to the local calendar day of {@code val}. */
  public void addDate(int columnIndex, Date val) {
    check(columnIndex, Type.DATE);
    int days = DateUtil.sqlDateToEpochDays(val);
    LittleEndian.putInt(image, mark(columnIndex), days);
  }

  public void addDate(String columnName, Date val) {
    addDate(schema.getColumnIndex(columnName), val);
  }

  /**
   * Sets a DATE to a day, counted from 1970-01-01.
   *
   * @throws IllegalArgumentException for a day before the year 1 or after 9999
   */
  public void addDateDays(int columnIndex, int days) {
    check(columnIndex, Type.DATE);
    DateUtil.checkDateWithinRange(days);
    LittleEndian.putInt(image, mark(columnIndex), days);
  }

  public void addString(int columnIndex, String val) {
    check(columnIndex, Type.STRING);
    setText(columnIndex, val.getBytes(StandardCharsets.UTF_8));
  }

  public void addString(String columnName, String val) {
    addString(schema.getColumnIndex(columnName), val);
  }

  /** Sets a VARCHAR; characters beyond the column's length are cut off. */
  public void addVarchar(int columnIndex, String val) {
    check(columnIndex, Type.VARCHAR);
    setText(
        columnIndex,
        CellForm.cut(val, schema.toCommon().column(columnIndex).length())
            .getBytes(StandardCharsets.UTF_8));
  }

  public void addVarchar(String columnName, String val) {
    addVarchar(schema.getColumnIndex(columnName), val);
  }

  /**
   * Sets a VARCHAR given as UTF-8, of no more characters than the column's length. The array is not
   * copied and must not be modified afterwards.
   *
   * @throws IllegalArgumentException when {@code val} has more characters
   */
  public void addVarcharUtf8(int columnIndex, byte[] val) {
    check(columnIndex, Type.VARCHAR);
    CellForm.checkLength(schema.getColumnByIndex(columnIndex), val);
    setText(columnIndex, val);
  }

  /** Sets a STRING given as UTF-8. The array is not copied and must not be modified afterwards. */
  public void addStringUtf8(int columnIndex, byte[] val) {
    check(columnIndex, Type.STRING);
    setText(columnIndex, val);
  }

  public void addStringUtf8(String columnName, byte[] val) {
    addStringUtf8(schema.getColumnIndex(columnName), val);
  }

  /** Sets a BINARY. The array is not copied and must not be modified afterwards. */
  public void addBinary(int columnIndex, byte[] val) {
    check(columnIndex, Type.BINARY);
    setText(columnIndex, val);
  }

  public void addBinary(String columnName, byte[] val) {
    addBinary(schema.getColumnIndex(columnName), val);
  }

  /** Sets a BINARY to a copy of the buffer's remaining bytes. */
  public void addBinary(int columnIndex, ByteBuffer val) {
    check(columnIndex, Type.BINARY);
    byte[] bytes = new byte[val.remaining()];
    val.duplicate().get(bytes);
    setText(columnIndex, bytes);
  }

  public void addBinary(String columnName, ByteBuffer val) {
    addBinary(schema.getColumnIndex(columnName), val);
  }

  @Override
  void addArray(int columnIndex, Object values, boolean[] validity) {
    check(columnIndex, Type.NESTED);
    if (values == null) {
      setNull(columnIndex);
    } else {
      setText(columnIndex, ArrayForm.of(schema.getColumnByIndex(columnIndex), values, validity));
    }
  }

  @Override
  int indexOf(String columnName) {
    return schema.getColumnIndex(columnName);
  }

  /**
   * Sets a column to NULL.
   *
   * @throws IllegalArgumentException when the column is not nullable
   */
  public void setNull(int columnIndex) {
    checkNotFrozen();
    if (!shape.nullable[columnIndex]) {
      throw new IllegalArgumentException(nameOf(columnIndex) + " cannot be set to null");
    }
    mark(columnIndex);
    image[shape.nullBitmapAt + (columnIndex >>> 3)] |= (byte) (1 << (columnIndex & 7));
    int text = shape.textIndex[columnIndex];
    if (text >= 0) {
      textBytes -= length(texts[text]);
      texts[text] = null;
    }
  }

  public void setNull(String columnName) {
    setNull(schema.getColumnIndex(columnName));
  }

  public void addObject(String columnName, Object val) {
    addObject(schema.getColumnIndex(columnName), val);
  }

  /**
   * Sets a column of any type. The value is a Boolean, Byte, Short, Integer, Long, Float, Double,
   * BigDecimal, String, byte[] or ByteBuffer, java.sql.Date, java.sql.Timestamp or Long
   * microseconds, or an array of such values or of primitive ones, and must match the column's
   * type; null sets NULL.
   */
  public void addObject(int columnIndex, Object val) {
    checkNotFrozen();
    if (val == null) {
      setNull(columnIndex);
      return;
    }
    try {
      addValue(columnIndex, val);
    } catch (ClassCastException e) {
      throw new IllegalArgumentException(
          "Value type does not match column type "
              + shape.types[columnIndex]
              + " for column "
              + nameOf(columnIndex),
          e);
    }
  }

  private void addValue(int columnIndex, Object val) {
    switch (shape.types[columnIndex]) {
      case BOOL -> addBoolean(columnIndex, (Boolean) val);
      case INT8 -> addByte(columnIndex, (Byte) val);
      case INT16 -> addShort(columnIndex, (Short) val);
      case INT32 -> addInt(columnIndex, (Integer) val);
      case INT64 -> addLong(columnIndex, (Long) val);
      case FLOAT -> addFloat(columnIndex, (Float) val);
      case DOUBLE -> addDouble(columnIndex, (Double) val);
      case DECIMAL -> addDecimal(columnIndex, (BigDecimal) val);
      case DATE -> addDate(columnIndex, (Date) val);
      case STRING -> addString(columnIndex, (String) val);
      case VARCHAR -> addVarchar(columnIndex, (String) val);
      case UNIXTIME_MICROS -> {
        if (val instanceof Timestamp timestamp) {
          addTimestamp(columnIndex, timestamp);
        } else {
          addLong(columnIndex, (Long) val);
        }
      }
      case BINARY -> {
        if (val instanceof ByteBuffer buffer) {
          addBinary(columnIndex, buffer);
        } else {
          addBinary(columnIndex, (byte[]) val);
        }
      }
      case NESTED -> addArray(columnIndex, val, null);
    }
  }

  private int set(int column, Type type) {
    check(column, type);
    return mark(column);
  }

  private int set(int column, Type type, Type other) {
    if (shape.types[column] != other) {
      checkType(column, type, other);
    }
    checkNotFrozen();
    return mark(column);
  }

  private void setText(int column, byte[] bytes) {
    int length = bytes.length; // fails for null before anything has changed
    int text = shape.textIndex[column];
    textBytes += length - length(texts[text]);
    texts[text] = bytes;
    LittleEndian.putLong(image, mark(column) + 8, length);
  }

  private static int length(byte[] text) {
    return text == null ? 0 : text.length;
  }

  /** Marks the column as set and not NULL, and returns the offset of its cell. */
  private int mark(int column) {
    byte bit = (byte) (1 << (column & 7));
    int inBitmap = column >>> 3;
    image[1 + inBitmap] |= bit;
    if (shape.nullBitmapAt != 0) {
      image[shape.nullBitmapAt + inBitmap] &= (byte) ~bit;
    }
    return shape.offsets[column];
  }

  private void check(int column, Type type) {
    if (shape.types[column] != type) {
      throw wrongType(column, "[" + type + "]");
    }
    checkNotFrozen();
  }

  private void checkType(int column, Type type, Type other) {
    if (shape.types[column] != type) {
      throw wrongType(column, "[" + type + ", " + other + "]");
    }
  }

  private IllegalArgumentException wrongType(int column, String asked) {
    return new IllegalArgumentException(
        nameOf(column) + " isn't " + asked + ", it's " + shape.types[column].getName());
  }

  private void checkNotFrozen() {
    if (frozen) {
      throw new IllegalStateException("This row was already applied and cannot be modified.");
    }
  }

  /** Forbids further changes, because a session has accepted the row. */
  void freeze() {
    frozen = true;
  }

  boolean isFrozen() {
    return frozen;
  }

  // Reading cells.

  public boolean getBoolean(String columnName) {
    return getBoolean(schema.getColumnIndex(columnName));
  }

  public boolean getBoolean(int columnIndex) {
    return image[get(columnIndex, Type.BOOL)] != 0;
  }

  public byte getByte(String columnName) {
    return getByte(schema.getColumnIndex(columnName));
  }

  public byte getByte(int columnIndex) {
    return image[get(columnIndex, Type.INT8)];
  }

  public short getShort(String columnName) {
    return getShort(schema.getColumnIndex(columnName));
  }

  public short getShort(int columnIndex) {
    return LittleEndian.getShort(image, get(columnIndex, Type.INT16));
  }

  public int getInt(String columnName) {
    return getInt(schema.getColumnIndex(columnName));
  }

  public int getInt(int columnIndex) {
    return LittleEndian.getInt(image, get(columnIndex, Type.INT32));
  }

  public long getLong(String columnName) {
    return getLong(schema.getColumnIndex(columnName));
  }

  /** An INT64, or a UNIXTIME_MICROS as microseconds since the epoch. */
  public long getLong(int columnIndex) {
    if (shape.types[columnIndex] != Type.UNIXTIME_MICROS) {
      checkType(columnIndex, Type.INT64, Type.UNIXTIME_MICROS);
    }
    checkHasCell(columnIndex);
    return LittleEndian.getLong(image, shape.offsets[columnIndex]);
  }

  public float getFloat(String columnName) {
    return getFloat(schema.getColumnIndex(columnName));
  }

  public float getFloat(int columnIndex) {
    return Float.intBitsToFloat(LittleEndian.getInt(image, get(columnIndex, Type.FLOAT)));
  }

  public double getDouble(String columnName) {
    return getDouble(schema.getColumnIndex(columnName));
  }

  public double getDouble(int columnIndex) {
    return Double.longBitsToDouble(LittleEndian.getLong(image, get(columnIndex, Type.DOUBLE)));
  }

  public BigDecimal getDecimal(String columnName) {
    return getDecimal(schema.getColumnIndex(columnName));
  }

  public BigDecimal getDecimal(int columnIndex) {
    int at = get(columnIndex, Type.DECIMAL);
    return CellForm.decimal(
        image, at, shape.widths[columnIndex], schema.toCommon().column(columnIndex).scale());
  }

  public Timestamp getTimestamp(String columnName) {
    return getTimestamp(schema.getColumnIndex(columnName));
  }

  public Timestamp getTimestamp(int columnIndex) {
    int at = get(columnIndex, Type.UNIXTIME_MICROS);
    return TimestampUtil.microsToTimestamp(LittleEndian.getLong(image, at));
  }

  public Date getDate(String columnName) {
    return getDate(schema.getColumnIndex(columnName));
  }

  public Date getDate(int columnIndex) {
    return DateUtil.epochDaysToSqlDate(LittleEndian.getInt(image, get(columnIndex, Type.DATE)));
  }

  public String getString(String columnName) {
    return getString(schema.getColumnIndex(columnName));
  }

  public String getString(int columnIndex) {
    return new String(getText(columnIndex, Type.STRING), StandardCharsets.UTF_8);
  }

  public String getVarchar(String columnName) {
    return getVarchar(schema.getColumnIndex(columnName));
  }

  public String getVarchar(int columnIndex) {
    return new String(getText(columnIndex, Type.VARCHAR), StandardCharsets.UTF_8);
  }

  public byte[] getBinaryCopy(String columnName) {
    return getBinaryCopy(schema.getColumnIndex(columnName));
  }

  public byte[] getBinaryCopy(int columnIndex) {
    return getText(columnIndex, Type.BINARY).clone();
  }

  public ByteBuffer getBinary(String columnName) {
    return getBinary(schema.getColumnIndex(columnName));
  }

  /** A buffer over the row's own bytes; do not write to it. */
  public ByteBuffer getBinary(int columnIndex) {
    return ByteBuffer.wrap(getText(columnIndex, Type.BINARY));
  }

  public Object getArrayData(String columnName) {
    return getArrayData(schema.getColumnIndex(columnName));
  }

  /**
   * The elements of an array column as an array of their Java class, such as {@code Integer[]},
   * with null for NULL; null if the column is NULL or unset.
   */
  public Object getArrayData(int columnIndex) {
    if (shape.types[columnIndex] != Type.NESTED) {
      throw wrongType(columnIndex, "[" + Type.NESTED + "]");
    }
    return getObject(columnIndex);
  }

  public Object getObject(String columnName) {
    return getObject(schema.getColumnIndex(columnName));
  }

  /** The value of a column of any type, as {@link #addObject} takes it; null when NULL or unset. */
  public Object getObject(int columnIndex) {
    if (!hasCell(columnIndex)) {
      return null;
    }
    return CellForm.value(
        schema.getColumnByIndex(columnIndex),
        cellArray(columnIndex),
        cellOffset(columnIndex),
        cellLength(columnIndex));
  }

  public boolean isNull(String columnName) {
    return isNull(schema.getColumnIndex(columnName));
  }

  /** Whether the column is set to NULL. */
  public boolean isNull(int columnIndex) {
    return shape.nullable[columnIndex] && bit(shape.nullBitmapAt, columnIndex);
  }

  public boolean isSet(String columnName) {
    return isSet(schema.getColumnIndex(columnName));
  }

  /** Whether the column is set, to a value or to NULL. */
  public boolean isSet(int columnIndex) {
    if (columnIndex < 0 || columnIndex >= shape.types.length) {
      throw new ArrayIndexOutOfBoundsException(
          "Index " + columnIndex + " out of bounds for length " + shape.types.length);
    }
    return bit(1, columnIndex);
  }

  private boolean bit(int bitmapAt, int column) {
    return (image[bitmapAt + (column >>> 3)] >>> (column & 7) & 1) != 0;
  }

  private int get(int column, Type type) {
    if (shape.types[column] != type) {
      throw wrongType(column, "[" + type + "]");
    }
    checkHasCell(column);
    return shape.offsets[column];
  }

  private byte[] getText(int column, Type type) {
    get(column, type);
    return texts[shape.textIndex[column]];
  }

  private void checkHasCell(int column) {
    if (!isSet(column)) {
      throw new IllegalArgumentException("Column value is not set");
    }
    if (isNull(column)) {
      throw new IllegalArgumentException("Column value is null");
    }
  }

  private String nameOf(int column) {
    return schema.getColumnByIndex(column).getName();
  }

  // Cells as bytes.

  /** Sets a column to a value in cell form. */
  void setCell(int column, byte[] cell) {
    checkNotFrozen();
    if (shape.textIndex[column] >= 0) {
      setText(column, cell);
    } else if (cell.length == shape.widths[column]) {
      System.arraycopy(cell, 0, image, mark(column), cell.length);
    } else {
      throw new IllegalArgumentException(
          cell.length + " bytes are not a cell of column " + nameOf(column));
    }
  }

  boolean hasCell(int column) {
    return isSet(column) && !isNull(column);
  }

  byte[] cellArray(int column) {
    int text = shape.textIndex[column];
    return text < 0 ? image : texts[text];
  }

  int cellOffset(int column) {
    return shape.textIndex[column] < 0 ? shape.offsets[column] : 0;
  }

  int cellLength(int column) {
    int text = shape.textIndex[column];
    return text < 0 ? shape.widths[column] : texts[text].length;
  }

  /** Whether all columns are set and none is NULL. */
  private boolean isComplete() {
    for (int i = 0; i < shape.bitmapBytes; i++) {
      if (image[1 + i] != shape.allSet[i]) {
        return false;
      }
    }
    if (shape.nullBitmapAt != 0) {
      for (int i = 0; i < shape.bitmapBytes; i++) {
        if (image[shape.nullBitmapAt + i] != 0) {
          return false;
        }
      }
    }
    return true;
  }

  /** Appends the set columns as one operation; also used for range bounds and split rows. */
  void appendTo(RowOperationsWriter writer, OperationType operation) {
    writer.begin(operation);
    for (int column = 0; column < shape.types.length; column++) {
      if (isNull(column)) {
        writer.setNull(column);
      } else if (isSet(column)) {
        writer.setCell(column, cellArray(column), cellOffset(column), cellLength(column));
      }
    }
    writer.end();
  }

  /** Appends the set columns as one write; a delete contains only key columns. */
  void appendTo(PackedRows out, OperationType operation) {
    boolean keyOnly = operation == OperationType.DELETE || operation == OperationType.DELETE_IGNORE;
    if (!keyOnly && isComplete()) {
      appendImage(out, operation);
    } else {
      appendSetCells(out, operation, keyOnly ? shape.keyColumnCount : shape.types.length);
    }
  }

  private void appendImage(PackedRows out, OperationType operation) {
    byte[] rows = out.rowsWithRoom(shape.imageBytes);
    int at = out.rowsLength();
    System.arraycopy(image, 0, rows, at, shape.imageBytes);
    rows[at] = (byte) operation.wireNumber();
    int[] textColumns = shape.textColumns;
    for (int i = 0; i < textColumns.length; i++) {
      LittleEndian.putLong(rows, at + shape.offsets[textColumns[i]], out.addIndirect(texts[i]));
    }
    out.endRowAt(at + shape.imageBytes);
  }

  private void appendSetCells(PackedRows out, OperationType operation, int columns) {
    byte[] rows = out.rowsWithRoom(shape.imageBytes);
    int start = out.rowsLength();
    rows[start] = (byte) operation.wireNumber();
    Arrays.fill(rows, start + 1, start + shape.headerBytes, (byte) 0);
    int at = start + shape.headerBytes;
    for (int column = 0; column < columns; column++) {
      if (!bit(1, column)) {
        continue;
      }
      byte mask = (byte) (1 << (column & 7));
      rows[start + 1 + (column >>> 3)] |= mask;
      if (isNull(column)) {
        rows[start + shape.nullBitmapAt + (column >>> 3)] |= mask;
        continue;
      }
      int width = shape.widths[column];
      System.arraycopy(image, shape.offsets[column], rows, at, width);
      if (shape.textIndex[column] >= 0) {
        LittleEndian.putLong(rows, at, out.addIndirect(texts[shape.textIndex[column]]));
      }
      at += width;
    }
    out.endRowAt(at);
  }

  /** The maximum number of bytes that the row takes in a batch. */
  int packedBytes() {
    return shape.imageBytes + textBytes;
  }

  /**
   * The encoded primary key; all of its columns must be set.
   *
   * @throws IllegalStateException if a primary key column is not set
   */
  public byte[] encodePrimaryKey() {
    KeyBuffer key = new KeyBuffer();
    int last = shape.keyColumnCount - 1;
    for (int column = 0; column <= last; column++) {
      if (!hasCell(column)) {
        throw new IllegalStateException("Primary key column " + nameOf(column) + " is not set");
      }
      KeyEncoder.appendCell(
          shape.layout.type(column),
          cellArray(column),
          cellOffset(column),
          cellLength(column),
          column == last,
          key);
    }
    return key.toByteArray();
  }

  // Text.

  /** The key columns with their values, for messages: {@code (int32 id=7, string name="x")}. */
  public String stringifyRowKey() {
    return PartialRowText.ofKey(this);
  }

  /** The columns that are set, with their values. */
  @Override
  public String toString() {
    return PartialRowText.of(this);
  }
}
