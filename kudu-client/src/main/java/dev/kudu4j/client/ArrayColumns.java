package dev.kudu4j.client;

import java.math.BigDecimal;
import java.sql.Date;
import java.sql.Timestamp;

/**
 * The methods of a {@link PartialRow} that set array columns. Values that are null set the column
 * to NULL.
 *
 * <p>The parameter {@code validity} says which elements are not NULL. If it is absent or null, an
 * element is NULL if its value is null. If it is empty, no element is NULL, and no value may be
 * null. Otherwise it has one entry for each element, and an element is NULL if its entry is false
 * or its value is null.
 *
 * <p>Methods throw {@link IllegalArgumentException} if the column is not an array of these
 * elements, or the lengths of values and validity differ. Arrays are copied.
 */
public abstract sealed class ArrayColumns permits PartialRow {
  ArrayColumns() {}

  /** Sets an array column to an array of any class; null sets NULL. */
  abstract void addArray(int columnIndex, Object values, boolean[] validity);

  abstract int indexOf(String columnName);

  /** Sets an array of BOOL elements. */
  public void addArrayBool(int columnIndex, boolean[] values, boolean[] validity) {
    addArray(columnIndex, values, validity);
  }

  /** The same, for the column with this name. */
  public void addArrayBool(String columnName, boolean[] values, boolean[] validity) {
    addArray(indexOf(columnName), values, validity);
  }

  /** The same, without validity. */
  public void addArrayBool(int columnIndex, boolean[] values) {
    addArray(columnIndex, values, null);
  }

  /** The same, for the column with this name, without validity. */
  public void addArrayBool(String columnName, boolean[] values) {
    addArray(indexOf(columnName), values, null);
  }

  /** Sets an array of INT8 elements. */
  public void addArrayInt8(int columnIndex, byte[] values, boolean[] validity) {
    addArray(columnIndex, values, validity);
  }

  /** The same, for the column with this name. */
  public void addArrayInt8(String columnName, byte[] values, boolean[] validity) {
    addArray(indexOf(columnName), values, validity);
  }

  /** The same, without validity. */
  public void addArrayInt8(int columnIndex, byte[] values) {
    addArray(columnIndex, values, null);
  }

  /** The same, for the column with this name, without validity. */
  public void addArrayInt8(String columnName, byte[] values) {
    addArray(indexOf(columnName), values, null);
  }

  /** Sets an array of INT16 elements. */
  public void addArrayInt16(int columnIndex, short[] values, boolean[] validity) {
    addArray(columnIndex, values, validity);
  }

  /** The same, for the column with this name. */
  public void addArrayInt16(String columnName, short[] values, boolean[] validity) {
    addArray(indexOf(columnName), values, validity);
  }

  /** The same, without validity. */
  public void addArrayInt16(int columnIndex, short[] values) {
    addArray(columnIndex, values, null);
  }

  /** The same, for the column with this name, without validity. */
  public void addArrayInt16(String columnName, short[] values) {
    addArray(indexOf(columnName), values, null);
  }

  /**
   * Sets an array of INT32 elements, of DATE elements as days since 1970-01-01, or of unscaled
   * DECIMAL elements of at most 9 digits.
   */
  public void addArrayInt32(int columnIndex, int[] values, boolean[] validity) {
    addArray(columnIndex, values, validity);
  }

  /** The same, for the column with this name. */
  public void addArrayInt32(String columnName, int[] values, boolean[] validity) {
    addArray(indexOf(columnName), values, validity);
  }

  /** The same, without validity. */
  public void addArrayInt32(int columnIndex, int[] values) {
    addArray(columnIndex, values, null);
  }

  /** The same, for the column with this name, without validity. */
  public void addArrayInt32(String columnName, int[] values) {
    addArray(indexOf(columnName), values, null);
  }

  /**
   * Sets an array of INT64 elements, of UNIXTIME_MICROS elements as microseconds since the epoch,
   * or of unscaled DECIMAL elements of 10 to 18 digits.
   */
  public void addArrayInt64(int columnIndex, long[] values, boolean[] validity) {
    addArray(columnIndex, values, validity);
  }

  /** The same, for the column with this name. */
  public void addArrayInt64(String columnName, long[] values, boolean[] validity) {
    addArray(indexOf(columnName), values, validity);
  }

  /** The same, without validity. */
  public void addArrayInt64(int columnIndex, long[] values) {
    addArray(columnIndex, values, null);
  }

  /** The same, for the column with this name, without validity. */
  public void addArrayInt64(String columnName, long[] values) {
    addArray(indexOf(columnName), values, null);
  }

  /** Sets an array of FLOAT elements. */
  public void addArrayFloat(int columnIndex, float[] values, boolean[] validity) {
    addArray(columnIndex, values, validity);
  }

  /** The same, for the column with this name. */
  public void addArrayFloat(String columnName, float[] values, boolean[] validity) {
    addArray(indexOf(columnName), values, validity);
  }

  /** The same, without validity. */
  public void addArrayFloat(int columnIndex, float[] values) {
    addArray(columnIndex, values, null);
  }

  /** The same, for the column with this name, without validity. */
  public void addArrayFloat(String columnName, float[] values) {
    addArray(indexOf(columnName), values, null);
  }

  /** Sets an array of DOUBLE elements. */
  public void addArrayDouble(int columnIndex, double[] values, boolean[] validity) {
    addArray(columnIndex, values, validity);
  }

  /** The same, for the column with this name. */
  public void addArrayDouble(String columnName, double[] values, boolean[] validity) {
    addArray(indexOf(columnName), values, validity);
  }

  /** The same, without validity. */
  public void addArrayDouble(int columnIndex, double[] values) {
    addArray(columnIndex, values, null);
  }

  /** The same, for the column with this name, without validity. */
  public void addArrayDouble(String columnName, double[] values) {
    addArray(indexOf(columnName), values, null);
  }

  /** Sets an array of STRING elements. */
  public void addArrayString(int columnIndex, String[] values, boolean[] validity) {
    addArray(columnIndex, values, validity);
  }

  /** The same, for the column with this name. */
  public void addArrayString(String columnName, String[] values, boolean[] validity) {
    addArray(indexOf(columnName), values, validity);
  }

  /** The same, without validity. */
  public void addArrayString(int columnIndex, String[] values) {
    addArray(columnIndex, values, null);
  }

  /** The same, for the column with this name, without validity. */
  public void addArrayString(String columnName, String[] values) {
    addArray(indexOf(columnName), values, null);
  }

  /** Sets an array of VARCHAR elements; characters beyond the column's length are cut off. */
  public void addArrayVarchar(int columnIndex, String[] values, boolean[] validity) {
    addArray(columnIndex, values, validity);
  }

  /** The same, for the column with this name. */
  public void addArrayVarchar(String columnName, String[] values, boolean[] validity) {
    addArray(indexOf(columnName), values, validity);
  }

  /** The same, without validity. */
  public void addArrayVarchar(int columnIndex, String[] values) {
    addArray(columnIndex, values, null);
  }

  /** The same, for the column with this name, without validity. */
  public void addArrayVarchar(String columnName, String[] values) {
    addArray(indexOf(columnName), values, null);
  }

  /**
   * Sets an array of BINARY elements, or of STRING or VARCHAR elements as UTF-8. A VARCHAR element
   * of more characters than the column's length is rejected.
   */
  public void addArrayBinary(int columnIndex, byte[][] values, boolean[] validity) {
    addArray(columnIndex, values, validity);
  }

  /** The same, for the column with this name. */
  public void addArrayBinary(String columnName, byte[][] values, boolean[] validity) {
    addArray(indexOf(columnName), values, validity);
  }

  /** The same, without validity. */
  public void addArrayBinary(int columnIndex, byte[][] values) {
    addArray(columnIndex, values, null);
  }

  /** The same, for the column with this name, without validity. */
  public void addArrayBinary(String columnName, byte[][] values) {
    addArray(indexOf(columnName), values, null);
  }

  /**
   * Sets an array of UNIXTIME_MICROS elements; nanoseconds beyond whole microseconds are cut off.
   */
  public void addArrayTimestamp(int columnIndex, Timestamp[] values, boolean[] validity) {
    addArray(columnIndex, values, validity);
  }

  /** The same, for the column with this name. */
  public void addArrayTimestamp(String columnName, Timestamp[] values, boolean[] validity) {
    addArray(indexOf(columnName), values, validity);
  }

  /** The same, without validity. */
  public void addArrayTimestamp(int columnIndex, Timestamp[] values) {
    addArray(columnIndex, values, null);
  }

  /** The same, for the column with this name, without validity. */
  public void addArrayTimestamp(String columnName, Timestamp[] values) {
    addArray(indexOf(columnName), values, null);
  }

  /** Sets an array of DATE elements, each the local calendar day of its value. */
  public void addArrayDate(int columnIndex, Date[] values, boolean[] validity) {
    addArray(columnIndex, values, validity);
  }

  /** The same, for the column with this name. */
  public void addArrayDate(String columnName, Date[] values, boolean[] validity) {
    addArray(indexOf(columnName), values, validity);
  }

  /** The same, without validity. */
  public void addArrayDate(int columnIndex, Date[] values) {
    addArray(columnIndex, values, null);
  }

  /** The same, for the column with this name, without validity. */
  public void addArrayDate(String columnName, Date[] values) {
    addArray(indexOf(columnName), values, null);
  }

  /** Sets an array of DECIMAL elements. */
  public void addArrayDecimal(int columnIndex, BigDecimal[] values, boolean[] validity) {
    addArray(columnIndex, values, validity);
  }

  /** The same, for the column with this name. */
  public void addArrayDecimal(String columnName, BigDecimal[] values, boolean[] validity) {
    addArray(indexOf(columnName), values, validity);
  }

  /** The same, without validity. */
  public void addArrayDecimal(int columnIndex, BigDecimal[] values) {
    addArray(columnIndex, values, null);
  }

  /** The same, for the column with this name, without validity. */
  public void addArrayDecimal(String columnName, BigDecimal[] values) {
    addArray(indexOf(columnName), values, null);
  }
}
