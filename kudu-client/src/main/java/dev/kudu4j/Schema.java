package dev.kudu4j;

import java.util.List;

/** STUB (data engineer). Wraps the schema that the wire and the engine know; key columns first. */
public final class Schema {
  private final dev.kudu4j.common.schema.Schema schema;

  public Schema(List<ColumnSchema> columns) {
    this(
        new dev.kudu4j.common.schema.Schema(columns.stream().map(ColumnSchema::toCommon).toList()));
  }

  private Schema(dev.kudu4j.common.schema.Schema schema) {
    this.schema = schema;
  }

  public static Schema of(dev.kudu4j.common.schema.Schema schema) {
    return new Schema(schema);
  }

  /** The schema as the wire and the engine know it, with column ids where they are known. */
  public dev.kudu4j.common.schema.Schema toCommon() {
    return schema;
  }
}
