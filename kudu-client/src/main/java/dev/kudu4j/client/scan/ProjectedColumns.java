package dev.kudu4j.client.scan;

import dev.kudu4j.common.proto.common.ColumnSchemaPB;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.wire.SchemaWire;
import java.util.List;

/**
 * The columns that scans read, in the order of the result. Their wire form is created once for all
 * tablets of a scan, and for all scans of a table's full rows. Thread-safe.
 */
public final class ProjectedColumns {
  private final Schema schema;
  private volatile List<ColumnSchemaPB> wire; // null until a request needs it

  public ProjectedColumns(Schema schema) {
    this.schema = schema;
  }

  public Schema schema() {
    return schema;
  }

  /** The columns in the wire format: without ids and storage attributes. */
  public List<ColumnSchemaPB> toWire() {
    List<ColumnSchemaPB> made = wire;
    if (made == null) {
      made = schema.columns().stream().map(ProjectedColumns::toWire).toList();
      wire = made;
    }
    return made;
  }

  private static ColumnSchemaPB toWire(ColumnSchema column) {
    ColumnSchema.Builder bare =
        column
            .ofSameType()
            .key(column.isKey())
            .nullable(column.isNullable())
            .autoIncrementing(column.isAutoIncrementing());
    if (column.type() == DataType.IS_DELETED) {
      bare.readDefault(column.readDefault());
    }
    return SchemaWire.toWire(bare.build(), false);
  }
}
