package dev.kudu4j.master.tables;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.common.ColumnSchemaDeltaPB;
import dev.kudu4j.common.proto.common.ColumnSchemaPB;
import dev.kudu4j.common.proto.common.SchemaPB;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.schema.SchemaException;
import dev.kudu4j.common.schema.SchemaException.Reason;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.SchemaRules;
import dev.kudu4j.common.wire.SchemaWire;

/**
 * Applies the column steps of an alteration, one after the other, to a draft of the schema. Columns
 * are changed in their wire form, so that fields of a later version are kept.
 */
final class ColumnSteps {
  private final SchemaPB.Builder schema;
  private int nextColumnId;
  private boolean changed;

  ColumnSteps(SchemaPB schema, int nextColumnId) {
    this.schema = schema.toBuilder();
    this.nextColumnId = nextColumnId;
  }

  SchemaPB schema() {
    return schema.build();
  }

  int nextColumnId() {
    return nextColumnId;
  }

  boolean isChanged() {
    return changed;
  }

  void add(ColumnSchemaPB column) {
    Schema current = SchemaWire.fromWire(schema.build());
    ColumnSchema checked =
        SchemaRules.newColumn(column, current).toBuilder().id(nextColumnId++).build();
    schema.addColumns(SchemaWire.toWire(checked, true));
    changed = true;
  }

  void drop(String name) {
    int index = indexOf(name);
    if (schema.getColumns(index).getIsKey()) {
      throw SchemaException.invalid("cannot remove a key column: %s", name);
    }
    schema.removeColumns(index);
    changed = true;
  }

  void rename(String oldName, String newName) {
    int index = indexOf(oldName);
    checkNewName(newName);
    if (schema.getColumns(index).getIsAutoIncrementing()) {
      throw SchemaException.invalid("cannot rename the auto-incrementing column: %s", oldName);
    }
    schema.getColumnsBuilder(index).setName(newName);
    changed = true;
  }

  private void checkNewName(String newName) {
    SchemaRules.checkNewColumnName(ByteString.copyFromUtf8(newName));
    for (ColumnSchemaPB column : schema.getColumnsList()) {
      if (column.getName().equals(newName)) {
        throw SchemaException.of(
            Reason.INVALID_SCHEMA,
            StatusCode.ALREADY_PRESENT,
            "The column already exists: %s",
            newName);
      }
    }
  }

  /** Applies the changes of one column. The name is changed last. */
  void alter(ColumnSchemaDeltaPB delta) {
    int index = indexOf(delta.getName());
    ColumnSchemaPB.Builder column = schema.getColumns(index).toBuilder();
    ColumnSchema before = SchemaWire.fromWire(column.build());
    if (delta.hasDefaultValue() && delta.getRemoveDefault()) {
      throw SchemaException.invalid(
          "column %s: a default cannot be set and removed in one step", delta.getName());
    }
    if (delta.hasDefaultValue()) {
      if (column.getIsAutoIncrementing()) {
        throw SchemaException.invalid(
            "cannot change the default of the auto-incrementing column: %s", delta.getName());
      }
      ByteString cell = cell(delta.getName(), before.type(), delta.getDefaultValue());
      SchemaRules.checkDefault(delta.getName(), before.type(), cell.toByteArray());
      column.setWriteDefaultValue(cell);
    }
    if (delta.getRemoveDefault()) {
      column.clearWriteDefaultValue();
    }
    if (delta.hasEncoding()) {
      SchemaRules.checkEncoding(delta.getName(), before.scalarType(), delta.getEncoding());
      column.setEncoding(delta.getEncoding());
    }
    if (delta.hasCompression()) {
      column.setCompression(delta.getCompression());
    }
    if (delta.hasBlockSize()) {
      column.setCfileBlockSize(delta.getBlockSize());
    }
    if (delta.hasNewComment()) {
      SchemaRules.checkComment(delta.getNewCommentBytes());
      column.setComment(delta.getNewComment());
    }
    if (delta.hasImmutable()) {
      if (delta.getImmutable() && column.getIsKey()) {
        throw SchemaException.invalid("primary key column %s cannot be immutable", delta.getName());
      }
      column.setImmutable(delta.getImmutable());
    }
    schema.setColumns(index, column);
    changed = true;
    if (delta.hasNewName()) {
      rename(delta.getName(), delta.getNewName());
    }
  }

  /**
   * Converts a default from a request to a cell of the column's type. The published C++ client
   * sends a number as its widest form, an INT64 or a DECIMAL128, whatever the column's type; the
   * bytes above the cell then only repeat its sign.
   */
  private static ByteString cell(String column, DataType type, ByteString value) {
    if (type.isVariableLength() || value.size() == type.width()) {
      return value;
    }
    if (value.size() < type.width() || !extendsSign(value, type.width())) {
      throw SchemaException.invalid("wrong size for default value of column %s", column);
    }
    return value.substring(0, type.width());
  }

  /**
   * Whether all bytes from {@code width} on only repeat the sign of the lower bytes. The order is
   * little-endian.
   */
  private static boolean extendsSign(ByteString value, int width) {
    byte sign = (byte) (value.byteAt(width - 1) < 0 ? -1 : 0);
    for (int i = width; i < value.size(); i++) {
      if (value.byteAt(i) != sign) {
        return false;
      }
    }
    return true;
  }

  private int indexOf(String name) {
    for (int i = 0; i < schema.getColumnsCount(); i++) {
      if (schema.getColumns(i).getName().equals(name)) {
        return i;
      }
    }
    throw SchemaException.of(
        Reason.INVALID_SCHEMA,
        StatusCode.NOT_FOUND,
        "The specified column does not exist: %s",
        name);
  }
}
