package dev.kudu4j.common.wire;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.common.ColumnSchemaPB;
import dev.kudu4j.common.proto.common.ColumnTypeAttributesPB;
import dev.kudu4j.common.proto.common.CompressionType;
import dev.kudu4j.common.proto.common.EncodingType;
import dev.kudu4j.common.proto.common.SchemaPB;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Compression;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Encoding;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import java.util.List;

/**
 * Converts schemas to and from wire messages. Storage attributes (encoding, compression, defaults,
 * comment) are not validated; an unknown encoding or compression becomes the server's default.
 * {@link SchemaRules} validates the schema of a new table.
 */
public final class SchemaWire {
  private static final Encoding[] ENCODINGS = Encoding.values();
  private static final Compression[] COMPRESSIONS = Compression.values();

  private SchemaWire() {}

  /**
   * Converts any schema.
   *
   * @throws KuduException INVALID_ARGUMENT for an unknown type, a repeated name or id, or a key
   *     column after a non-key column
   */
  public static Schema fromWire(SchemaPB pb) {
    Schema schema = new Schema(columns(pb.getColumnsList()));
    for (int i = schema.keyColumnCount(); i < schema.columnCount(); i++) {
      if (schema.column(i).isKey()) {
        throw KuduException.invalidArgument("Got out-of-order key column: %s", schema.column(i));
      }
    }
    return schema;
  }

  /**
   * Converts the schema of a client's request, without ids.
   *
   * @throws KuduException INVALID_ARGUMENT if a column has an id, and for the reasons of {@link
   *     #fromWire(SchemaPB)}
   */
  public static Schema ofClient(SchemaPB pb) {
    for (ColumnSchemaPB column : pb.getColumnsList()) {
      if (column.hasId()) {
        throw KuduException.invalidArgument("User requests should not have Column IDs");
      }
    }
    return fromWire(pb);
  }

  /** Converts the columns of a message, in order; validates only their types. */
  public static List<ColumnSchema> columns(List<ColumnSchemaPB> columns) {
    return columns.stream().map(SchemaWire::fromWire).toList();
  }

  /**
   * Converts one column.
   *
   * @throws KuduException INVALID_ARGUMENT for an unknown type or an array without the type of its
   *     elements; NOT_SUPPORTED for a nested type that is not an array of scalars
   */
  public static ColumnSchema fromWire(ColumnSchemaPB pb) {
    ColumnSchema.Builder column =
        builder(pb)
            .key(pb.getIsKey())
            .nullable(pb.getIsNullable())
            .encoding(encoding(pb.getEncoding()))
            .compression(compression(pb.getCompression()))
            .blockSizeBytes(pb.getCfileBlockSize())
            .decimal(pb.getTypeAttributes().getPrecision(), pb.getTypeAttributes().getScale())
            .length(pb.getTypeAttributes().getLength())
            .comment(pb.getComment())
            .immutable(pb.getImmutable())
            .autoIncrementing(pb.getIsAutoIncrementing())
            .withoutTimeZone(pb.getWithoutTimeZone());
    if (pb.hasId()) {
      column.id(pb.getId());
    }
    if (pb.hasReadDefaultValue()) {
      column.readDefault(pb.getReadDefaultValue().toByteArray());
    }
    if (pb.hasWriteDefaultValue()) {
      column.writeDefault(pb.getWriteDefaultValue().toByteArray());
    }
    return column.build();
  }

  private static ColumnSchema.Builder builder(ColumnSchemaPB pb) {
    DataType type = DataType.ofWireNumber(pb.getType().getNumber());
    if (type == DataType.NESTED) {
      return ColumnSchema.arrayBuilder(pb.getName(), elementType(pb));
    }
    if (pb.hasNestedType()) {
      throw KuduException.invalidArgument(
          "Column %s has a nested type but type %s; its type must be NESTED", pb.getName(), type);
    }
    return ColumnSchema.builder(pb.getName(), type);
  }

  private static DataType elementType(ColumnSchemaPB pb) {
    if (!pb.hasNestedType()) {
      throw KuduException.invalidArgument(
          "Column %s has type NESTED but no nested type description", pb.getName());
    }
    if (!pb.getNestedType().hasArray()) {
      throw KuduException.notSupported(
          "Column %s has a nested type other than an array; use an array of scalars", pb.getName());
    }
    if (!pb.getNestedType().getArray().hasType()) {
      throw KuduException.invalidArgument(
          "Array column %s lacks the type of its elements", pb.getName());
    }
    DataType type = DataType.ofWireNumber(pb.getNestedType().getArray().getType().getNumber());
    if (type == DataType.NESTED) {
      throw KuduException.notSupported(
          "Column %s has arrays of arrays; use an array of scalars", pb.getName());
    }
    if (type == DataType.IS_DELETED) {
      throw KuduException.invalidArgument(
          "Array column %s cannot have elements of the virtual type %s", pb.getName(), type);
    }
    return type;
  }

  /** Converts a schema. Servers send ids, clients do not. */
  public static SchemaPB toWire(Schema schema, boolean withIds) {
    SchemaPB.Builder pb = SchemaPB.newBuilder();
    for (ColumnSchema column : schema.columns()) {
      pb.addColumns(toWire(column, withIds));
    }
    return pb.build();
  }

  public static ColumnSchemaPB toWire(ColumnSchema column, boolean withId) {
    ColumnSchemaPB.Builder pb =
        ColumnSchemaPB.newBuilder()
            .setName(column.name())
            .setType(wireType(column.type()))
            .setIsKey(column.isKey())
            .setIsNullable(column.isNullable())
            .setEncoding(EncodingType.forNumber(column.encoding().wireNumber()))
            .setCompression(CompressionType.forNumber(column.compression().wireNumber()))
            .setCfileBlockSize(column.blockSizeBytes());
    if (withId && column.id() != ColumnSchema.NO_ID) {
      pb.setId(column.id());
    }
    if (column.readDefault() != null) {
      pb.setReadDefaultValue(ByteString.copyFrom(column.readDefault()));
    }
    if (column.writeDefault() != null) {
      pb.setWriteDefaultValue(ByteString.copyFrom(column.writeDefault()));
    }
    if (column.isArray()) {
      pb.getNestedTypeBuilder().getArrayBuilder().setType(wireType(column.scalarType()));
    }
    if (column.scalarType().isDecimal()) {
      pb.setTypeAttributes(
          ColumnTypeAttributesPB.newBuilder()
              .setPrecision(column.precision())
              .setScale(column.scale()));
    } else if (column.scalarType() == DataType.VARCHAR) {
      pb.setTypeAttributes(ColumnTypeAttributesPB.newBuilder().setLength(column.length()));
    }
    if (!column.comment().isEmpty()) {
      pb.setComment(column.comment());
    }
    if (column.isImmutable()) {
      pb.setImmutable(true);
    }
    if (column.isAutoIncrementing()) {
      pb.setIsAutoIncrementing(true);
    }
    if (column.isWithoutTimeZone()) {
      pb.setWithoutTimeZone(true);
    }
    return pb.build();
  }

  private static dev.kudu4j.common.proto.common.DataType wireType(DataType type) {
    return dev.kudu4j.common.proto.common.DataType.forNumber(type.wireNumber());
  }

  private static Encoding encoding(EncodingType pb) {
    for (Encoding encoding : ENCODINGS) {
      if (encoding.wireNumber() == pb.getNumber()) {
        return encoding;
      }
    }
    return Encoding.AUTO;
  }

  private static Compression compression(CompressionType pb) {
    for (Compression compression : COMPRESSIONS) {
      if (compression.wireNumber() == pb.getNumber()) {
        return compression;
      }
    }
    return Compression.DEFAULT;
  }
}
