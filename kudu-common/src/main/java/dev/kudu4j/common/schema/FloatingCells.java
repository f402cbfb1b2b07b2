package dev.kudu4j.common.schema;

/**
 * Which floating-point cells are equal in groups and distinct values, as in Spark: 0.0 and -0.0 are
 * equal, and every NaN equals every other. Comparisons in conditions are those of IEEE 754 instead.
 */
public final class FloatingCells {
  private FloatingCells() {}

  /** The cell that stands for all cells that are equal to this one. */
  public static byte[] canonical(DataType type, byte[] cell) {
    double value =
        type == DataType.FLOAT
            ? Float.intBitsToFloat(LittleEndian.getInt(cell, 0))
            : Double.longBitsToDouble(LittleEndian.getLong(cell, 0));
    if (value == 0) {
      return zero(type);
    }
    return Double.isNaN(value) ? nan(type) : cell;
  }

  public static byte[] zero(DataType type) {
    return new byte[type.width()];
  }

  public static byte[] nan(DataType type) {
    byte[] cell = new byte[type.width()];
    if (type == DataType.FLOAT) {
      LittleEndian.putInt(cell, 0, Float.floatToIntBits(Float.NaN));
    } else {
      LittleEndian.putLong(cell, 0, Double.doubleToLongBits(Double.NaN));
    }
    return cell;
  }
}
