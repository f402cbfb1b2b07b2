package dev.kudu4j.spark.read;

import dev.kudu4j.common.memory.Memory;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.spark.sql.types.DataType;

/**
 * Fixed-width cells, or offsets of arrays, in the memory of a server's response, with a bitmap of
 * non-null cells.
 */
abstract class ReceivedColumn extends TypedVector {
  final long cells; // address
  private final FieldVector received; // owned
  private final long presence; // address; not read if there are no NULLs
  private final int nulls;

  /**
   * @param received closed with this column
   */
  ReceivedColumn(DataType type, BaseFixedWidthVector received) {
    this(type, received, received.getDataBuffer());
  }

  /**
   * @param received closed with this column
   * @param cells the cells of {@code received}
   */
  ReceivedColumn(DataType type, FieldVector received, ArrowBuf cells) {
    super(type);
    this.received = received;
    this.cells = cells.memoryAddress();
    this.nulls = received.getNullCount();
    this.presence = nulls == 0 ? 0 : received.getValidityBuffer().memoryAddress();
  }

  @Override
  public final boolean hasNull() {
    return nulls > 0;
  }

  @Override
  public final int numNulls() {
    return nulls;
  }

  @Override
  public final boolean isNullAt(int row) {
    return nulls > 0 && (Memory.getByte(presence + (row >> 3)) >> (row & 7) & 1) == 0;
  }

  @Override
  public final void close() {
    received.close();
  }
}
