package dev.kudu4j.common.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.common.ColumnSchemaPB;
import dev.kudu4j.common.proto.common.EncodingType;
import dev.kudu4j.common.proto.common.SchemaPB;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Compression;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Encoding;
import dev.kudu4j.common.schema.Projection;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.schema.SchemaException;
import dev.kudu4j.common.schema.SchemaException.Reason;
import dev.kudu4j.common.schema.SchemaMapping;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class SchemaWireTest {
  private static final ColumnSchema KEY =
      ColumnSchema.builder("key", DataType.INT64).key(true).build();
  private static final ColumnSchema VALUE =
      ColumnSchema.builder("int_val", DataType.INT32).nullable(true).build();
  private static final ColumnSchema DECIMAL =
      ColumnSchema.builder("dec", DataType.DECIMAL64).decimal(10, 2).build();
  private static final Schema TABLET = schema(KEY, VALUE, DECIMAL).withFreshIds();

  @Test
  void schemaIsReadBackFromTheWire() {
    Schema schema =
        schema(
                ColumnSchema.builder("k", DataType.VARCHAR).key(true).length(7).build(),
                ColumnSchema.builder("auto_incrementing_id", DataType.INT64)
                    .key(true)
                    .autoIncrementing(true)
                    .build(),
                ColumnSchema.builder("d", DataType.DECIMAL128)
                    .decimal(38, 5)
                    .nullable(true)
                    .readDefault(new byte[16])
                    .writeDefault(new byte[] {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
                    .encoding(Encoding.BIT_SHUFFLE)
                    .compression(Compression.ZLIB)
                    .blockSizeBytes(4096)
                    .comment("a comment")
                    .immutable(true)
                    .build(),
                ColumnSchema.builder("t", DataType.UNIXTIME_MICROS).withoutTimeZone(true).build())
            .withFreshIds();
    assertThat(SchemaWire.fromWire(SchemaWire.toWire(schema, true))).isEqualTo(schema);
    assertThat(SchemaWire.fromWire(SchemaWire.toWire(schema, false)).hasIds()).isFalse();
    assertThatThrownBy(() -> SchemaWire.ofClient(SchemaWire.toWire(schema, true)))
        .isExactlyInstanceOf(KuduException.class)
        .hasMessage("User requests should not have Column IDs");
  }

  @Test
  void arraysAreReadBackFromTheWire() {
    Schema schema =
        schema(
                KEY,
                ColumnSchema.arrayBuilder("a", DataType.DECIMAL64)
                    .decimal(12, 3)
                    .nullable(true)
                    .encoding(Encoding.BIT_SHUFFLE)
                    .build(),
                ColumnSchema.arrayBuilder("v", DataType.VARCHAR).length(9).build())
            .withFreshIds();
    SchemaPB pb = SchemaWire.toWire(schema, true);
    assertThat(pb.getColumns(1).getType().getNumber()).isEqualTo(21);
    assertThat(pb.getColumns(1).getNestedType().getArray().getType().getNumber()).isEqualTo(16);
    assertThat(SchemaWire.fromWire(pb)).isEqualTo(schema);
    assertThat(SchemaRules.newTable(SchemaWire.toWire(schema, false))).isEqualTo(schema);
    assertThat(schema.column(1)).hasToString("a DECIMAL(12, 3) 1D-ARRAY NULLABLE");
    assertThat(schema.column(2)).hasToString("v VARCHAR(9) 1D-ARRAY NOT NULL");
  }

  @Test
  void nestedTypesMustBeArraysOfScalars() {
    ColumnSchemaPB.Builder array = array(DataType.INT32);
    assertOther(
        StatusCode.INVALID_ARGUMENT,
        "but no nested type description",
        key("k"),
        array.clone().clearNestedType());
    assertOther(
        StatusCode.INVALID_ARGUMENT,
        "its type must be NESTED",
        key("k"),
        column("a", DataType.INT32).setNestedType(array.getNestedType()));
    ColumnSchemaPB.Builder noKind = array.clone();
    noKind.getNestedTypeBuilder().clearArray();
    assertOther(StatusCode.NOT_SUPPORTED, "other than an array", key("k"), noKind);
    ColumnSchemaPB.Builder noType = array.clone();
    noType.getNestedTypeBuilder().getArrayBuilder().clearType();
    assertOther(StatusCode.INVALID_ARGUMENT, "lacks the type", key("k"), noType);
    ColumnSchemaPB.Builder arrays = array.clone();
    arrays
        .getNestedTypeBuilder()
        .getArrayBuilder()
        .setType(dev.kudu4j.common.proto.common.DataType.NESTED);
    assertOther(StatusCode.NOT_SUPPORTED, "arrays of arrays", key("k"), arrays);
  }

  @Test
  void invalidArrayColumnsAreRejected() {
    assertInvalidTable("NESTED (e.g., array)", array(DataType.INT32).setIsKey(true));
    assertInvalidTable(
        "arrays of DECIMAL128 are not supported", key("k"), array(DataType.DECIMAL128));
    assertInvalidTable(
        "cannot have a default",
        key("k"),
        array(DataType.INT32).setReadDefaultValue(ByteString.EMPTY));
    assertInvalidTable(
        "RLE not supported for type FLOAT",
        key("k"),
        array(DataType.FLOAT).setEncoding(EncodingType.RLE));
    assertThat(
            SchemaRules.newTable(
                    pb(key("k"), array(DataType.STRING).setEncoding(EncodingType.DICT_ENCODING)))
                .column(1)
                .encoding())
        .isEqualTo(Encoding.DICTIONARY);
    assertInvalid(
        () -> SchemaRules.newColumn(array(DataType.INT8).build(), TABLET),
        "NOT NULL columns must have a default");
    ColumnSchema strings = ColumnSchema.arrayBuilder("a", DataType.STRING).build();
    assertMismatch(
        () ->
            SchemaMapping.match(
                schema(KEY, strings),
                schema(KEY, ColumnSchema.arrayBuilder("a", DataType.BINARY).build())),
        "The column 'a' must have type BINARY 1D-ARRAY NOT NULL found STRING 1D-ARRAY NOT NULL");
  }

  private static ColumnSchemaPB.Builder array(DataType elements) {
    return SchemaWire.toWire(ColumnSchema.arrayBuilder("a", elements).build(), false).toBuilder();
  }

  @Test
  void clientMayKnowFewerColumnsInAnotherOrder() {
    SchemaMapping mapping = SchemaMapping.match(schema(DECIMAL, KEY), TABLET);
    assertThat(mapping.tabletIndexOf(0)).isEqualTo(2);
    assertThat(mapping.messageIndexes()).containsExactly(1, SchemaMapping.ABSENT, 0);
    assertThat(mapping.messageIndexesOfKey(TABLET)).containsExactly(1);
  }

  @Test
  void clientSchemaMustMatchTheTablet() {
    ColumnSchema unknown = ColumnSchema.builder("zz", DataType.INT32).nullable(true).build();
    assertMismatch(
        () -> SchemaMapping.match(schema(KEY, unknown), TABLET),
        "Client provided column zz INT32 NULLABLE not present in tablet");
    assertMismatch(
        () -> SchemaMapping.match(schema(VALUE), TABLET),
        "Client missing required column: key INT64 NOT NULL");
    ColumnSchema wide = ColumnSchema.builder("int_val", DataType.INT64).nullable(true).build();
    assertMismatch(
        () -> SchemaMapping.match(schema(KEY, wide), TABLET),
        "The column 'int_val' must have type INT32 NULLABLE found INT64 NULLABLE");
    ColumnSchema scaled = ColumnSchema.builder("dec", DataType.DECIMAL64).decimal(10, 3).build();
    assertMismatch(
        () -> SchemaMapping.match(schema(KEY, scaled), TABLET),
        "The column 'dec' must have type DECIMAL(10, 2) NOT NULL found DECIMAL(10, 3) NOT NULL");
  }

  @Test
  void projectionMayHaveAnyColumnsInAnyOrder() {
    Projection projection =
        Projection.of(List.of(DECIMAL, KEY.toBuilder().key(false).build(), isDeleted()), TABLET);
    assertThat(projection.tabletIndexOf(0)).isEqualTo(2);
    assertThat(projection.tabletIndexOf(1)).isEqualTo(0);
    assertThat(projection.tabletIndexOf(2)).isEqualTo(Projection.VIRTUAL);
    assertThat(projection.isDeletedIndex()).isEqualTo(2);
    assertThat(projection.schema().column(0).id()).isEqualTo(2);
    assertThat(projection.holdsWholeKey(TABLET)).isFalse();
    assertThat(Projection.of(List.of(KEY), TABLET).holdsWholeKey(TABLET)).isTrue();
    assertThat(Projection.of(List.of(), TABLET).columnCount()).isZero();
  }

  @Test
  void projectionMustBeReadable() {
    ColumnSchema nope = ColumnSchema.builder("nope", DataType.INT32).build();
    assertMismatch(
        () -> Projection.of(List.of(nope), TABLET),
        "Some columns are not present in the current schema: nope");
    assertMismatch(
        () -> Projection.of(List.of(ColumnSchema.builder("key", DataType.INT32).build()), TABLET),
        "The column 'key' must have type INT64 NOT NULL found INT32 NOT NULL");
    assertInvalid(
        () -> Projection.of(List.of(TABLET.column(0)), TABLET),
        "User requests should not have Column IDs");
    assertInvalid(() -> Projection.of(List.of(KEY, KEY), TABLET), "Duplicate column name: key");
    assertInvalid(() -> Projection.of(List.of(VALUE, KEY), TABLET), "out-of-order key column");
    assertInvalid(
        () -> Projection.of(List.of(isDeleted().toBuilder().readDefault(null).build()), TABLET),
        "must be NOT NULL and have a default");
  }

  private static ColumnSchema isDeleted() {
    return ColumnSchema.builder("is_deleted", DataType.IS_DELETED).readDefault(new byte[1]).build();
  }

  @Test
  void newTableGetsIdsAndBothDefaults() {
    ColumnSchemaPB.Builder withDefault =
        column("v", DataType.INT32)
            .setReadDefaultValue(ByteString.copyFrom(new byte[] {7, 0, 0, 0}));
    Schema schema = SchemaRules.newTable(pb(key("k"), withDefault));
    assertThat(schema.column(1).id()).isEqualTo(1);
    assertThat(schema.column(1).writeDefault()).containsExactly(7, 0, 0, 0);
    assertThat(schema.column(1).readDefault()).containsExactly(7, 0, 0, 0);
  }

  /** The published Java client rejects type attributes of such a column. */
  @Test
  void theMissingTimeZoneIsNotSentAsATypeAttribute() {
    ColumnSchema local =
        ColumnSchema.builder("t", DataType.UNIXTIME_MICROS).withoutTimeZone(true).build();
    assertThat(SchemaWire.toWire(local, false).hasTypeAttributes()).isFalse();
    assertThat(local.typeText()).isEqualTo("UNIXTIME_MICROS WITHOUT TIME ZONE NOT NULL");
    ColumnSchema zoned = ColumnSchema.builder("t", DataType.UNIXTIME_MICROS).build();
    SchemaMapping.match(schema(KEY, zoned), schema(KEY, local));
  }

  @Test
  void badTablesAreInvalidSchemas() {
    assertInvalidTable("key column", column("v", DataType.INT32));
    assertInvalidTable("BOOL, FLOAT, or DOUBLE", column("k", DataType.DOUBLE).setIsKey(true));
    assertInvalidTable("empty string", key(""));
    assertInvalidTable("longer than maximum", key("é".repeat(129)));
    assertInvalidTable("null bytes", key("a\0b"));
    assertInvalidTable(
        "not supported for type INT32", key("k").setEncoding(EncodingType.DICT_ENCODING));
    assertInvalidTable(
        "RLE not supported for type DECIMAL128",
        key("k"),
        SchemaWire.toWire(
                ColumnSchema.builder("d", DataType.DECIMAL128).decimal(38, 2).build(), false)
            .toBuilder()
            .setEncoding(EncodingType.RLE));
    assertInvalidTable("GROUP_VARINT", key("k").setEncoding(EncodingType.GROUP_VARINT));
    assertInvalidTable("comment", key("k").setComment("x".repeat(257)));
    assertInvalidTable(
        "a write default needs a read default",
        key("k"),
        column("v", DataType.INT32).setWriteDefaultValue(ByteString.copyFrom(new byte[4])));
    ColumnSchemaPB.Builder[] many = new ColumnSchemaPB.Builder[301];
    Arrays.setAll(many, i -> i == 0 ? key("k") : column("c" + i, DataType.INT32));
    assertInvalidTable("301 is greater than the permitted maximum 300", many);
    assertInvalidTable("reserved", key("auto_incrementing_id"));
    assertInvalidTable("last key column", key("k").setIsAutoIncrementing(true));
    assertInvalidTable(
        "column v: only UNIXTIME_MICROS columns can be without time zone, not DATE",
        key("k"),
        column("v", DataType.DATE).setWithoutTimeZone(true));
  }

  @Test
  void longestNameIsAccepted() {
    assertThat(SchemaRules.newTable(pb(key("é".repeat(128)))).columnCount()).isEqualTo(1);
  }

  @Test
  void someInvalidTablesHaveTheGenericCode() {
    assertOther(StatusCode.INVALID_ARGUMENT, "Nullable key columns", key("k").setIsNullable(true));
    assertOther(
        StatusCode.INVALID_ARGUMENT, "Duplicate column name", key("k"), column("k", DataType.INT8));
    assertOther(StatusCode.INVALID_ARGUMENT, "Column IDs", key("k").setId(0));
    assertOther(
        StatusCode.CORRUPTION,
        "Not enough bytes",
        key("k"),
        column("v", DataType.INT32).setReadDefaultValue(ByteString.copyFrom(new byte[3])));
  }

  @Test
  void newColumnNeedsAFreeNameAndADefault() {
    assertThat(
            SchemaRules.newColumn(column("n", DataType.STRING).setIsNullable(true).build(), TABLET)
                .name())
        .isEqualTo("n");
    assertThatThrownBy(() -> SchemaRules.newColumn(column("key", DataType.INT8).build(), TABLET))
        .hasMessage("The column already exists: key")
        .isInstanceOfSatisfying(
            SchemaException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.ALREADY_PRESENT));
    assertInvalid(
        () -> SchemaRules.newColumn(column("n", DataType.INT8).build(), TABLET),
        "NOT NULL columns must have a default");
    assertInvalid(() -> SchemaRules.newColumn(key("n").build(), TABLET), "key column");
  }

  @Test
  void statusIsReadBackFromTheWire() {
    for (StatusCode code : StatusCode.values()) {
      KuduException failure = new KuduException(code, "message");
      KuduException read = StatusWire.fromWire(StatusWire.toWire(failure));
      assertThat(read.code()).isEqualTo(code);
      assertThat(read).hasMessage("message");
    }
    assertThat(StatusWire.ok().getCode().getNumber()).isZero();
  }

  private static ColumnSchemaPB.Builder key(String name) {
    return column(name, DataType.INT32).setIsKey(true);
  }

  private static ColumnSchemaPB.Builder column(String name, DataType type) {
    return SchemaWire.toWire(ColumnSchema.builder(name, type).build(), false).toBuilder();
  }

  private static SchemaPB pb(ColumnSchemaPB.Builder... columns) {
    SchemaPB.Builder schema = SchemaPB.newBuilder();
    for (ColumnSchemaPB.Builder column : columns) {
      schema.addColumns(column);
    }
    return schema.build();
  }

  private static Schema schema(ColumnSchema... columns) {
    return new Schema(List.of(columns));
  }

  private static void assertInvalidTable(String message, ColumnSchemaPB.Builder... columns) {
    assertInvalid(() -> SchemaRules.newTable(pb(columns)), message);
  }

  private static void assertOther(
      StatusCode code, String message, ColumnSchemaPB.Builder... columns) {
    assertThatThrownBy(() -> SchemaRules.newTable(pb(columns)))
        .isExactlyInstanceOf(KuduException.class)
        .hasMessageContaining(message)
        .isInstanceOfSatisfying(KuduException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private static void assertInvalid(ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .hasMessageContaining(message)
        .isInstanceOfSatisfying(
            SchemaException.class, e -> assertThat(e.reason()).isEqualTo(Reason.INVALID_SCHEMA));
  }

  private static void assertMismatch(ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .hasMessage(message)
        .isInstanceOfSatisfying(
            SchemaException.class, e -> assertThat(e.reason()).isEqualTo(Reason.MISMATCHED_SCHEMA));
  }
}
