package dev.kudu4j.tablet.scan.aggregate;

import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.batch.ColumnVector;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Reads the result of one aggregate from its accumulators. */
sealed interface AggregateResult {
  /** The result as an object; see {@link AggregateRow}. */
  @Nullable Object value(int group);

  /** Appends the result as a cell; see {@link dev.kudu4j.common.expression.Aggregate}. */
  void append(int group, ColumnVector out);

  /** The number of rows. */
  record RowCount(Accumulators rows) implements AggregateResult {
    @Override
    public @Nullable Object value(int group) {
      return rows.count(group);
    }

    @Override
    public void append(int group, ColumnVector out) {
      ResultCells.append(rows.count(group), out);
    }
  }

  /** The number of rows in which a number is not NULL. */
  record PresentCount(Accumulators rows, SumAccumulator sum) implements AggregateResult {
    long present(int group) {
      return rows.count(group) - sum.nulls(group);
    }

    @Override
    public @Nullable Object value(int group) {
      return present(group);
    }

    @Override
    public void append(int group, ColumnVector out) {
      ResultCells.append(present(group), out);
    }
  }

  /** A sum; null if all numbers are NULL. */
  record Sum(Accumulators rows, SumAccumulator sum) implements AggregateResult {
    private boolean isNull(int group) {
      return rows.count(group) == sum.nulls(group);
    }

    @Override
    public @Nullable Object value(int group) {
      return isNull(group) ? null : sum.value(group);
    }

    @Override
    public void append(int group, ColumnVector out) {
      if (isNull(group)) {
        out.appendNull();
      } else if (sum.node().isFloating()) {
        ResultCells.append(sum.value(group).doubleValue(), out);
      } else {
        ResultCells.append(sum.unscaled(group), out);
      }
    }
  }

  /** A mean; null if all numbers are NULL. */
  record Average(Accumulators rows, SumAccumulator sum) implements AggregateResult {
    @Override
    public @Nullable Object value(int group) {
      long present = rows.count(group) - sum.nulls(group);
      return present == 0 ? null : (Object) (sum.value(group).doubleValue() / present);
    }

    @Override
    public void append(int group, ColumnVector out) {
      @Nullable Object mean = value(group);
      if (mean == null) {
        out.appendNull();
      } else {
        ResultCells.append((double) mean, out);
      }
    }
  }

  /**
   * The smallest or largest number.
   *
   * @param type the type of the column; null for an expression with arithmetic
   */
  record Extreme(MinMaxAccumulator extreme, @Nullable DataType type) implements AggregateResult {
    @Override
    public @Nullable Object value(int group) {
      return extreme.value(group);
    }

    @Override
    public void append(int group, ColumnVector out) {
      if (!extreme.isKnown(group)) {
        out.appendNull();
      } else if (type == null && extreme.node().isFloating()) {
        ResultCells.append(extreme.floating(group), out);
      } else if (type == null) {
        ResultCells.append(BigInteger.valueOf(extreme.unscaled(group)), out);
      } else if (type == DataType.FLOAT) {
        ResultCells.append((float) extreme.floating(group), out);
      } else if (type == DataType.DOUBLE) {
        ResultCells.append(extreme.floating(group), out);
      } else {
        ResultCells.append(extreme.unscaled(group), type.width(), out);
      }
    }
  }

  /** The smallest or largest cell of a column that is not numeric. */
  record ExtremeCell(MinMaxCellAccumulator extreme) implements AggregateResult {
    @Override
    public @Nullable Object value(int group) {
      return extreme.value(group);
    }

    @Override
    public void append(int group, ColumnVector out) {
      byte[] cell = extreme.value(group);
      if (cell == null) {
        out.appendNull();
      } else {
        out.append(cell, 0, cell.length);
      }
    }
  }

  /** A sketch of distinct values; null if all are NULL. */
  record Sketch(SketchAccumulator sketch) implements AggregateResult {
    @Override
    public @Nullable Object value(int group) {
      return sketch.value(group);
    }

    @Override
    public void append(int group, ColumnVector out) {
      byte[] cell = sketch.value(group);
      if (cell == null) {
        out.appendNull();
      } else {
        out.append(cell, 0, cell.length);
      }
    }
  }

  /** Writes numbers as cells. */
  final class ResultCells {
    private static final int DECIMAL_BYTES = 16;
    private static final BigInteger LIMIT = BigInteger.TEN.pow(38);

    private ResultCells() {}

    static void append(long value, ColumnVector out) {
      append(value, Long.BYTES, out);
    }

    static void append(long value, int width, ColumnVector out) {
      byte[] cell = new byte[Long.BYTES];
      LittleEndian.putLong(cell, 0, value);
      out.append(cell, 0, width);
    }

    static void append(double value, ColumnVector out) {
      append(Double.doubleToRawLongBits(value), out);
    }

    static void append(float value, ColumnVector out) {
      append(Float.floatToRawIntBits(value), Float.BYTES, out);
    }

    /**
     * @throws KuduException INVALID_ARGUMENT if the number has more than 38 digits
     */
    static void append(BigInteger unscaled, ColumnVector out) {
      if (unscaled.abs().compareTo(LIMIT) >= 0) {
        throw KuduException.invalidArgument(
            "A sum has more than 38 digits; select fewer rows or group them");
      }
      byte[] cell = new byte[DECIMAL_BYTES];
      LittleEndian.putLong(cell, 0, unscaled.longValue());
      LittleEndian.putLong(cell, Long.BYTES, unscaled.shiftRight(Long.SIZE).longValue());
      out.append(cell, 0, DECIMAL_BYTES);
    }
  }
}
