package dev.kudu4j;

/** STUB (data engineer). Wraps the column that the wire and the engine know. */
public final class ColumnSchema {
  private final dev.kudu4j.common.schema.ColumnSchema column;

  private ColumnSchema(dev.kudu4j.common.schema.ColumnSchema column) {
    this.column = column;
  }

  public static ColumnSchema of(dev.kudu4j.common.schema.ColumnSchema column) {
    return new ColumnSchema(column);
  }

  /** The column as the wire and the engine know it. */
  public dev.kudu4j.common.schema.ColumnSchema toCommon() {
    return column;
  }

  public String getName() {
    return column.name();
  }
}
