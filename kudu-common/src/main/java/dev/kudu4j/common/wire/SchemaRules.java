package dev.kudu4j.common.wire;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.array.ArrayCells;
import dev.kudu4j.common.proto.common.ColumnSchemaPB;
import dev.kudu4j.common.proto.common.EncodingType;
import dev.kudu4j.common.proto.common.SchemaPB;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Encoding;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.schema.SchemaException;
import dev.kudu4j.common.schema.SchemaException.Reason;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules for the schema of a table, which the master checks before it creates a table or adds a
 * column.
 *
 * <p>A {@link SchemaException} becomes the master's {@code INVALID_SCHEMA}; any other {@link
 * KuduException} becomes its {@code UNKNOWN_ERROR}. Apache Kudu makes the same distinction, which
 * is visible to clients.
 */
public final class SchemaRules {
  /** Limit for a new table. Columns that are added later do not count, as in Apache Kudu. */
  public static final int MAX_COLUMNS = 300;

  public static final int MAX_IDENTIFIER_BYTES = 256;
  public static final int MAX_COMMENT_BYTES = 256;
  public static final int MAX_OWNER_BYTES = 128;
  public static final int MAX_CELL_BYTES = 65_536;
  public static final int MAX_ENCODED_KEY_BYTES = 16_384;
  public static final String AUTO_INCREMENTING_NAME = "auto_incrementing_id";

  private SchemaRules() {}

  /**
   * The schema of a new table, with ids 0, 1, 2... Clients send only the read default, which also
   * becomes the write default.
   *
   * @throws SchemaException INVALID_SCHEMA for invalid names, comments, key types, encodings and
   *     defaults, for a missing key column, too many columns and an invalid auto-incrementing
   *     column
   * @throws KuduException INVALID_ARGUMENT for ids, a nullable key column or a repeated column;
   *     CORRUPTION for a default whose size does not match its type
   */
  public static Schema newTable(SchemaPB pb) {
    Schema schema = SchemaWire.ofClient(pb);
    checkKey(schema);
    if (schema.columnCount() > MAX_COLUMNS) {
      throw SchemaException.invalid(
          "number of columns %d is greater than the permitted maximum %d",
          schema.columnCount(), MAX_COLUMNS);
    }
    List<ColumnSchema> columns = pb.getColumnsList().stream().map(SchemaRules::column).toList();
    checkAutoIncrementing(schema);
    return new Schema(columns).withFreshIds();
  }

  /**
   * A column to add to a table. It must satisfy the rules for a new table, must not be a key
   * column, must have a new name, and needs a default unless it is nullable. It has no id yet.
   *
   * @throws SchemaException INVALID_SCHEMA if the column breaks a rule; its status is
   *     ALREADY_PRESENT if the name exists
   */
  public static ColumnSchema newColumn(ColumnSchemaPB pb, Schema table) {
    if (pb.hasId()) {
      throw SchemaException.invalid("column %s: client should not specify column ID", pb.getName());
    }
    if (table.indexOfName(pb.getName()) >= 0) {
      throw SchemaException.of(
          Reason.INVALID_SCHEMA,
          StatusCode.ALREADY_PRESENT,
          "The column already exists: %s",
          pb.getName());
    }
    ColumnSchema column = column(pb);
    checkNotReserved(column.name());
    if (column.isKey() || column.isAutoIncrementing()) {
      throw SchemaException.invalid("cannot add a key column: %s", column.name());
    }
    if (!column.isNullable() && column.readDefault() == null) {
      throw SchemaException.invalid(
          "column `%s`: NOT NULL columns must have a default", column.name());
    }
    return column;
  }

  /**
   * Validates the new name of a column that is renamed.
   *
   * @throws SchemaException INVALID_SCHEMA unless it is an identifier and not reserved
   */
  public static void checkNewColumnName(ByteString name) {
    checkIdentifier("column name", name);
    checkNotReserved(name.toStringUtf8());
  }

  /**
   * Whether the name is reserved for the auto-incrementing column, ignoring case: the published
   * Java client cannot open a table with another column of that name.
   */
  public static boolean isReserved(String name) {
    return name.equalsIgnoreCase(AUTO_INCREMENTING_NAME);
  }

  private static void checkNotReserved(String name) {
    if (isReserved(name)) {
      throw SchemaException.invalid(
          "%s is a reserved column name, for the auto-incrementing column", name);
    }
  }

  /** Validates a single column. */
  private static ColumnSchema column(ColumnSchemaPB pb) {
    checkIdentifier("column name", pb.getNameBytes());
    ColumnSchema column = SchemaWire.fromWire(pb);
    if (column.type() == DataType.IS_DELETED) {
      throw SchemaException.invalid("column %s: IS_DELETED is a virtual type", column.name());
    }
    checkElements(column);
    checkEncoding(column.name(), column.scalarType(), pb.getEncoding());
    checkComment(pb.getCommentBytes());
    if (column.readDefault() == null && column.writeDefault() != null) {
      throw SchemaException.invalid(
          "column %s: a write default needs a read default", column.name());
    }
    checkDefault(column.name(), column.type(), column.readDefault());
    checkDefault(column.name(), column.type(), column.writeDefault());
    if (column.isImmutable() && column.isKey()) {
      throw SchemaException.invalid("primary key column %s cannot be immutable", column.name());
    }
    if (column.isWithoutTimeZone() && column.type() != DataType.UNIXTIME_MICROS) {
      throw SchemaException.invalid(
          "column %s: only UNIXTIME_MICROS columns can be without time zone, not %s",
          column.name(), column.type());
    }
    return column.writeDefault() != null
        ? column
        : column.toBuilder().writeDefault(column.readDefault()).build();
  }

  private static void checkElements(ColumnSchema column) {
    if (column.isArray() && !ArrayCells.supports(column.scalarType())) {
      throw SchemaException.of(
          Reason.INVALID_SCHEMA,
          StatusCode.NOT_SUPPORTED,
          "column %s: arrays of %s are not supported; use elements of at most 64 bits",
          column.name(),
          column.scalarType());
    }
  }

  private static void checkKey(Schema schema) {
    if (schema.keyColumnCount() == 0) {
      throw SchemaException.invalid("must specify at least one key column");
    }
    for (ColumnSchema column : schema.columns().subList(0, schema.keyColumnCount())) {
      if (column.isNullable()) {
        throw KuduException.invalidArgument(
            "Bad schema: Nullable key columns are not supported: %s", column.name());
      }
      if (column.isArray()) {
        throw SchemaException.invalid(
            "key column may not have type of NESTED (e.g., array): %s", column.name());
      }
      if (!column.type().isKeyable()) {
        throw SchemaException.invalid(
            "key column may not have type of BOOL, FLOAT, or DOUBLE: %s", column.name());
      }
    }
  }

  private static void checkAutoIncrementing(Schema schema) {
    int last = schema.keyColumnCount() - 1;
    for (int i = 0; i < schema.columnCount(); i++) {
      ColumnSchema column = schema.column(i);
      if (!column.isAutoIncrementing()) {
        checkNotReserved(column.name());
      } else if (i != last
          || column.type() != DataType.INT64
          || !column.name().equals(AUTO_INCREMENTING_NAME)
          || column.readDefault() != null
          || column.isImmutable()) {
        throw SchemaException.invalid(
            "auto-incrementing column %s must be the last key column, of type INT64, named %s,"
                + " without default and not immutable",
            column.name(), AUTO_INCREMENTING_NAME);
      }
    }
  }

  /**
   * Validates the name of a table or column.
   *
   * @param what the kind of name, for the message: {@code table name}
   * @throws SchemaException INVALID_SCHEMA unless it is 1 to 256 bytes of UTF-8 without NUL
   */
  public static void checkIdentifier(String what, ByteString name) {
    if (name.isEmpty()) {
      throw SchemaException.invalid("invalid %s: empty string not a valid identifier", what);
    }
    if (name.size() > MAX_IDENTIFIER_BYTES) {
      throw SchemaException.invalid(
          "invalid %s: identifier '%s' longer than maximum permitted length %d",
          what, name.toStringUtf8(), MAX_IDENTIFIER_BYTES);
    }
    if (!name.isValidUtf8()) {
      throw SchemaException.invalid("invalid %s: invalid UTF8 sequence", what);
    }
    if (containsNul(name)) {
      throw SchemaException.invalid("invalid %s: identifier must not contain null bytes", what);
    }
  }

  /**
   * @throws SchemaException INVALID_SCHEMA unless {@code owner} is 1 to 128 bytes of UTF-8 without
   *     NUL
   */
  public static void checkOwner(ByteString owner) {
    if (owner.isEmpty()) {
      throw SchemaException.invalid("invalid owner name: empty string not a valid identifier");
    }
    if (owner.size() > MAX_OWNER_BYTES) {
      throw SchemaException.invalid(
          "invalid owner name: %d bytes exceed the maximum of %d bytes",
          owner.size(), MAX_OWNER_BYTES);
    }
    if (!owner.isValidUtf8() || containsNul(owner)) {
      throw SchemaException.invalid("invalid owner name: it must be UTF-8 without null bytes");
    }
  }

  /**
   * Validates the comment of a table or column.
   *
   * @throws SchemaException INVALID_SCHEMA if it is longer than 256 bytes, is not UTF-8 or contains
   *     NUL
   */
  public static void checkComment(ByteString comment) {
    if (comment.size() > MAX_COMMENT_BYTES) {
      throw SchemaException.invalid(
          "invalid comment: %d bytes exceed the maximum of %d bytes",
          comment.size(), MAX_COMMENT_BYTES);
    }
    if (!comment.isValidUtf8() || containsNul(comment)) {
      throw SchemaException.invalid("invalid comment: it must be UTF-8 without null bytes");
    }
  }

  /**
   * @throws SchemaException INVALID_SCHEMA if columns of the type do not support the encoding
   */
  public static void checkEncoding(String column, DataType type, EncodingType encoding) {
    for (Encoding known : Encoding.values()) {
      if (known.wireNumber() == encoding.getNumber() && known.fits(type)) {
        return;
      }
    }
    throw SchemaException.of(
        SchemaException.Reason.INVALID_SCHEMA,
        StatusCode.NOT_SUPPORTED,
        "invalid encoding for column '%s': encoding %s not supported for type %s",
        column,
        encoding,
        type);
  }

  /**
   * Validates a default in cell form; null means no default and is valid.
   *
   * @throws KuduException CORRUPTION if its size does not match its type
   * @throws SchemaException INVALID_SCHEMA if it exceeds the maximum cell size, or for an array
   */
  public static void checkDefault(String column, DataType type, byte @Nullable [] cell) {
    if (cell == null) {
      return;
    }
    if (type == DataType.NESTED) {
      throw SchemaException.invalid(
          "array column %s cannot have a default value; make it nullable", column);
    }
    if (!type.isVariableLength() && cell.length != type.width()) {
      throw KuduException.corruption(
          "%s bytes for %s in the default value of column %s: expected %d, got %d",
          cell.length < type.width() ? "Not enough" : "Too many",
          type,
          column,
          type.width(),
          cell.length);
    }
    if (cell.length > MAX_CELL_BYTES) {
      throw SchemaException.invalid(
          "default value of column %s has %d bytes, which exceeds the maximum of %d bytes",
          column, cell.length, MAX_CELL_BYTES);
    }
  }

  private static boolean containsNul(ByteString text) {
    for (int i = 0; i < text.size(); i++) {
      if (text.byteAt(i) == 0) {
        return true;
      }
    }
    return false;
  }
}
