package dev.kudu4j.common.row;

import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import java.util.List;

/**
 * How packed rows are laid out: the types and nullability of the message's columns, in their order.
 * That is all that is needed to walk the bytes; names and ids are another matter.
 */
public final class RowLayout {
  private final DataType[] types;
  private final boolean[] nullable;
  private final boolean anyNullable;

  public RowLayout(List<DataType> types, boolean[] nullable) {
    this.types = types.toArray(new DataType[0]);
    this.nullable = nullable.clone();
    boolean any = false;
    for (boolean n : nullable) {
      any |= n;
    }
    this.anyNullable = any;
  }

  public static RowLayout of(Schema schema) {
    boolean[] nullable = new boolean[schema.columnCount()];
    DataType[] types = new DataType[schema.columnCount()];
    for (int i = 0; i < nullable.length; i++) {
      types[i] = schema.column(i).type();
      nullable[i] = schema.column(i).isNullable();
    }
    return new RowLayout(List.of(types), nullable);
  }

  public int columnCount() {
    return types.length;
  }

  public DataType type(int column) {
    return types[column];
  }

  public boolean isNullable(int column) {
    return nullable[column];
  }

  /** Whether operations carry a null bitmap. */
  public boolean hasNullableColumns() {
    return anyNullable;
  }
}
