package dev.kudu4j.spark.read;

import dev.kudu4j.common.memory.Memory;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;

/** Arrays: for each row the offset of its first element, and the elements of all rows. */
final class ReceivedArrays extends ReceivedColumn {
  private final ColumnVector elements; // closed with the received vector

  ReceivedArrays(ArrayType type, ListVector received) {
    super(type, received, received.getOffsetBuffer());
    this.elements = ReceivedColumns.elements(type.elementType(), received.getDataVector());
  }

  @Override
  public ColumnarArray getArray(int row) {
    if (isNullAt(row)) {
      return null;
    }
    int start = Memory.getInt(cells + 4L * row);
    int end = Memory.getInt(cells + 4L * (row + 1));
    return new ColumnarArray(elements, start, end - start);
  }
}
