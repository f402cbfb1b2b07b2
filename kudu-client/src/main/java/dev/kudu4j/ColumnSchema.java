package dev.kudu4j;

import dev.kudu4j.common.schema.Compression;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.util.CharUtil;
import java.util.Objects;

/**
 * One column of a schema. Immutable; built by {@link ColumnSchemaBuilder}. Wraps the internal form
 * of a column.
 *
 * <p>Equality ignores id, encoding, compression, block size, default and immutability.
 */
public final class ColumnSchema {
  private final dev.kudu4j.common.schema.ColumnSchema column;
  private final Type type;
  private final boolean keyUnique;
  private final ColumnTypeAttributes attributes;
  private final Encoding encoding;
  private final CompressionAlgorithm compression;

  private ColumnSchema(
      dev.kudu4j.common.schema.ColumnSchema column,
      Type type,
      boolean keyUnique,
      ColumnTypeAttributes attributes,
      Encoding encoding,
      CompressionAlgorithm compression) {
    this.column = column;
    this.type = type;
    this.keyUnique = keyUnique;
    this.attributes = attributes;
    this.encoding = encoding;
    this.compression = compression;
  }

  /**
   * Wraps an internal column. A key column counts as part of a unique key, unless it is
   * auto-incrementing.
   */
  public static ColumnSchema of(dev.kudu4j.common.schema.ColumnSchema column) {
    return of(column, column.isKey() && !column.isAutoIncrementing());
  }

  static ColumnSchema of(dev.kudu4j.common.schema.ColumnSchema column, boolean keyUnique) {
    return new ColumnSchema(
        column,
        Type.of(column.type()),
        keyUnique,
        attributesOf(column),
        Encoding.of(column.encoding()),
        CompressionAlgorithm.of(column.compression()));
  }

  private static ColumnTypeAttributes attributesOf(dev.kudu4j.common.schema.ColumnSchema column) {
    ColumnTypeAttributes.ColumnTypeAttributesBuilder attributes =
        new ColumnTypeAttributes.ColumnTypeAttributesBuilder();
    if (column.scalarType().isDecimal()) {
      return attributes.precision(column.precision()).scale(column.scale()).build();
    }
    return column.scalarType() == DataType.VARCHAR
        ? attributes.length(column.length()).build()
        : null;
  }

  /**
   * The auto-incrementing column, which distinguishes rows with equal values of a non-unique key.
   */
  static ColumnSchema autoIncrementing() {
    return new AutoIncrementingColumnSchemaBuilder().build();
  }

  /** The column in its internal form. */
  public dev.kudu4j.common.schema.ColumnSchema toCommon() {
    return column;
  }

  ColumnSchema withId(int id) {
    return new ColumnSchema(
        column.toBuilder().id(id).build(), type, keyUnique, attributes, encoding, compression);
  }

  public Type getType() {
    return type;
  }

  public String getName() {
    return column.name();
  }

  /** Whether the column has one-dimensional arrays. */
  public boolean isArray() {
    return column.isArray();
  }

  /** Whether the column has a type that is not a scalar; the same as {@link #isArray}. */
  public boolean isNestedType() {
    return column.isArray();
  }

  /** The parts of the type of a {@link Type#NESTED} column; null for a scalar column. */
  public NestedTypeDescriptor getNestedTypeDescriptor() {
    return column.isArray()
        ? NestedTypeDescriptor.forArray(new ArrayTypeDescriptor(Type.of(column.scalarType())))
        : null;
  }

  /** Whether the column is part of the primary key, unique or not. */
  public boolean isKey() {
    return column.isKey();
  }

  /** Whether the column is part of a unique primary key. */
  public boolean isKeyUnique() {
    return keyUnique;
  }

  public boolean isNullable() {
    return column.isNullable();
  }

  public boolean isImmutable() {
    return column.isImmutable();
  }

  public boolean isAutoIncrementing() {
    return column.isAutoIncrementing();
  }

  /**
   * Whether the values of a UNIXTIME_MICROS column are local date-times, such as TIMESTAMP_NTZ of
   * Spark. Rows contain them as the same date-times in UTC, which is also how clients of Apache
   * Kudu see them.
   */
  public boolean isWithoutTimeZone() {
    return column.isWithoutTimeZone();
  }

  /**
   * The value of rows that leave the column unset, as {@code PartialRow.addObject} takes it; null
   * if the column has no default.
   */
  public Object getDefaultValue() {
    byte[] cell = column.writeDefault();
    return cell == null ? null : CellForm.value(this, cell, 0, cell.length);
  }

  /** Desired size of a block in bytes; 0 for the server's default. */
  public int getDesiredBlockSize() {
    return column.blockSizeBytes();
  }

  /** The requested encoding; null if none was requested. */
  public Encoding getEncoding() {
    return encoding;
  }

  /** The requested compression; null if none was requested. */
  public CompressionAlgorithm getCompressionAlgorithm() {
    return compression;
  }

  /** Precision, scale and length, for an array those of its elements; null without any. */
  public ColumnTypeAttributes getTypeAttributes() {
    return attributes;
  }

  public DataType getWireType() {
    return column.type();
  }

  /** Bytes of a cell inside a row. */
  public int getTypeSize() {
    return type.getSize(attributes);
  }

  public String getComment() {
    return column.comment();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ColumnSchema that
        && column.name().equals(that.column.name())
        && type == that.type
        && column.elementType() == that.column.elementType()
        && isKey() == that.isKey()
        && keyUnique == that.keyUnique
        && isNullable() == that.isNullable()
        && isAutoIncrementing() == that.isAutoIncrementing()
        && isWithoutTimeZone() == that.isWithoutTimeZone()
        && Objects.equals(attributes, that.attributes)
        && getComment().equals(that.getComment());
  }

  @Override
  public int hashCode() {
    return Objects.hash(column.name(), type, isKey(), isNullable(), attributes, getComment());
  }

  @Override
  public String toString() {
    StringBuilder text =
        new StringBuilder("Column name: ").append(column.name()).append(", type: ");
    Type scalar = Type.of(column.scalarType());
    text.append(scalar.getName());
    if (attributes != null) {
      text.append(attributes.toStringForType(scalar));
    }
    if (isWithoutTimeZone()) {
      text.append(" without time zone");
    }
    text.append(isArray() ? " 1D-ARRAY" : "");
    if (!getComment().isEmpty()) {
      text.append(", comment: ").append(getComment());
    }
    return text.toString();
  }

  /** The parts of a type that is not a scalar. Arrays are the only such types. */
  public static final class NestedTypeDescriptor {
    private final ArrayTypeDescriptor array;

    private NestedTypeDescriptor(ArrayTypeDescriptor array) {
      this.array = array;
    }

    public static NestedTypeDescriptor forArray(ArrayTypeDescriptor array) {
      return new NestedTypeDescriptor(Objects.requireNonNull(array, "An array has elements"));
    }

    public boolean isArray() {
      return true;
    }

    public ArrayTypeDescriptor getArrayDescriptor() {
      return array;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof NestedTypeDescriptor that && array.equals(that.array);
    }

    @Override
    public int hashCode() {
      return array.hashCode();
    }

    @Override
    public String toString() {
      return array.toString();
    }
  }

  /** The type of an array's elements. */
  public static final class ArrayTypeDescriptor {
    private final Type elemType;

    /**
     * @throws IllegalArgumentException for an array of arrays
     */
    public ArrayTypeDescriptor(Type elemType) {
      if (elemType == Type.NESTED) {
        throw new IllegalArgumentException("Elements of an array must be scalars");
      }
      this.elemType = Objects.requireNonNull(elemType, "An array's elements have a type");
    }

    public Type getElemType() {
      return elemType;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof ArrayTypeDescriptor that && elemType == that.elemType;
    }

    @Override
    public int hashCode() {
      return elemType.hashCode();
    }

    @Override
    public String toString() {
      return elemType.getName() + " 1D-ARRAY";
    }
  }

  /** The requested encoding of a column on disk. */
  public enum Encoding {
    UNKNOWN(null),
    AUTO_ENCODING(dev.kudu4j.common.schema.Encoding.AUTO),
    PLAIN_ENCODING(dev.kudu4j.common.schema.Encoding.PLAIN),
    PREFIX_ENCODING(dev.kudu4j.common.schema.Encoding.PREFIX),
    /** A retired encoding, which servers reject. */
    GROUP_VARINT(null),
    RLE(dev.kudu4j.common.schema.Encoding.RLE),
    DICT_ENCODING(dev.kudu4j.common.schema.Encoding.DICTIONARY),
    BIT_SHUFFLE(dev.kudu4j.common.schema.Encoding.BIT_SHUFFLE);

    private final dev.kudu4j.common.schema.Encoding common;

    Encoding(dev.kudu4j.common.schema.Encoding common) {
      this.common = common;
    }

    static Encoding of(dev.kudu4j.common.schema.Encoding common) {
      for (Encoding encoding : values()) {
        if (encoding.common == common) {
          return encoding;
        }
      }
      return UNKNOWN;
    }

    /**
     * The encoding in its internal form.
     *
     * @throws IllegalArgumentException for an encoding that no server accepts
     */
    public dev.kudu4j.common.schema.Encoding toCommon() {
      if (common == null) {
        throw new IllegalArgumentException(
            "Encoding " + this + " cannot be requested; use AUTO_ENCODING instead");
      }
      return common;
    }
  }

  /** The requested compression of a column's blocks on disk. */
  public enum CompressionAlgorithm {
    UNKNOWN(null),
    DEFAULT_COMPRESSION(Compression.DEFAULT),
    NO_COMPRESSION(Compression.NONE),
    SNAPPY(Compression.SNAPPY),
    LZ4(Compression.LZ4),
    ZLIB(Compression.ZLIB),
    /** Supported by Kudu4j servers only. */
    ZSTD(Compression.ZSTD),
    /** Supported by Kudu4j servers only. */
    BZIP2(Compression.BZIP2);

    private final Compression common;

    CompressionAlgorithm(Compression common) {
      this.common = common;
    }

    static CompressionAlgorithm of(Compression common) {
      for (CompressionAlgorithm algorithm : values()) {
        if (algorithm.common == common) {
          return algorithm;
        }
      }
      return UNKNOWN;
    }

    /**
     * The compression in its internal form.
     *
     * @throws IllegalArgumentException for a compression that no server accepts
     */
    public Compression toCommon() {
      if (common == null) {
        throw new IllegalArgumentException(
            "Compression " + this + " cannot be requested; use DEFAULT_COMPRESSION");
      }
      return common;
    }
  }

  /** Builds a {@link ColumnSchema}. */
  public static class ColumnSchemaBuilder {
    private final String name;
    private final Type type; // of the elements for an array
    private boolean array;
    private boolean key;
    private boolean keyUnique;
    private boolean nullable;
    private boolean immutable;
    private boolean autoIncrementing;
    private boolean withoutTimeZone;
    private Object defaultValue;
    private int blockSizeBytes;
    private Encoding encoding;
    private CompressionAlgorithm compression;
    private ColumnTypeAttributes attributes;
    private DataType wireType;
    private String comment = "";

    public ColumnSchemaBuilder(String name, Type type) {
      this.name = Objects.requireNonNull(name, "A column needs a name");
      this.type = Objects.requireNonNull(type, "A column needs a type");
      if (type == Type.NESTED) {
        throw new IllegalArgumentException(
            "Column "
                + name
                + " cannot be set to NESTED type. Give the type of the elements, and use"
                + " ColumnSchemaBuilder.array(true)");
      }
    }

    /** Starts from an existing column. */
    public ColumnSchemaBuilder(ColumnSchema that) {
      this(that.getName(), Type.of(that.column.scalarType()));
      array = that.isArray();
      key = that.isKey();
      keyUnique = that.keyUnique;
      nullable = that.isNullable();
      immutable = that.isImmutable();
      autoIncrementing = that.isAutoIncrementing();
      withoutTimeZone = that.isWithoutTimeZone();
      defaultValue = that.getDefaultValue();
      blockSizeBytes = that.getDesiredBlockSize();
      encoding = that.encoding;
      compression = that.compression;
      attributes = that.attributes;
      wireType = array ? null : that.getWireType();
      comment = that.getComment();
    }

    /** Sets whether the column is part of a unique primary key. */
    public ColumnSchemaBuilder key(boolean value) {
      key = value;
      keyUnique = value;
      return this;
    }

    /**
     * Sets whether the column is part of a non-unique primary key. A table with such a key also
     * gets an auto-incrementing column.
     */
    public ColumnSchemaBuilder nonUniqueKey(boolean value) {
      key = value;
      keyUnique = false;
      return this;
    }

    public ColumnSchemaBuilder nullable(boolean value) {
      nullable = value;
      return this;
    }

    /** Sets whether the column's cells are immutable once their row is written. */
    public ColumnSchemaBuilder immutable(boolean value) {
      immutable = value;
      return this;
    }

    /**
     * Sets whether the values of a UNIXTIME_MICROS column are local date-times; see {@link
     * ColumnSchema#isWithoutTimeZone}. Supported by Kudu4j servers only; others reject the creation
     * of such a column.
     */
    public ColumnSchemaBuilder withoutTimeZone(boolean value) {
      if (value && type != Type.UNIXTIME_MICROS) {
        throw new IllegalArgumentException(
            "Column " + name + ": only UNIXTIME_MICROS can be without time zone, not " + type);
      }
      withoutTimeZone = value;
      return this;
    }

    /** Sets the value of rows that leave the column unset. */
    public ColumnSchemaBuilder defaultValue(Object value) {
      defaultValue = value;
      return this;
    }

    public ColumnSchemaBuilder desiredBlockSize(int bytes) {
      blockSizeBytes = bytes;
      return this;
    }

    public ColumnSchemaBuilder encoding(Encoding value) {
      encoding = value;
      return this;
    }

    public ColumnSchemaBuilder compressionAlgorithm(CompressionAlgorithm value) {
      compression = value;
      return this;
    }

    /**
     * Sets precision and scale of a DECIMAL, or length of a VARCHAR, also as elements of an array.
     * A column of another type must have no attributes.
     */
    public ColumnSchemaBuilder typeAttributes(ColumnTypeAttributes value) {
      if (value != null && type != Type.DECIMAL && type != Type.VARCHAR) {
        throw new IllegalArgumentException(
            "ColumnTypeAttributes are not used on " + type + " columns");
      }
      attributes = value;
      return this;
    }

    /** Sets the wire type if it differs from the one that follows from the column's type. */
    public ColumnSchemaBuilder wireType(DataType value) {
      wireType = value;
      return this;
    }

    /**
     * Sets whether the column has one-dimensional arrays of the type that the builder was given.
     */
    public ColumnSchemaBuilder array(boolean value) {
      array = value;
      return this;
    }

    public ColumnSchemaBuilder comment(String value) {
      comment = value == null ? "" : value;
      return this;
    }

    /**
     * @throws IllegalArgumentException when a DECIMAL or VARCHAR lacks its attributes, the default
     *     is not a value of the type, or an array column is a key column or has a default
     */
    public ColumnSchema build() {
      checkAttributes();
      if (array) {
        checkArray();
      }
      dev.kudu4j.common.schema.ColumnSchema.Builder column =
          typed()
              .key(key)
              .nullable(nullable)
              .immutable(immutable)
              .autoIncrementing(autoIncrementing)
              .withoutTimeZone(withoutTimeZone)
              .blockSizeBytes(blockSizeBytes)
              .comment(comment);
      if (type == Type.DECIMAL) {
        column.decimal(attributes.getPrecision(), attributes.getScale());
      } else if (type == Type.VARCHAR) {
        column.length(attributes.getLength());
      }
      if (encoding != null && encoding != Encoding.UNKNOWN) {
        column.encoding(encoding.toCommon());
      }
      if (compression != null && compression != CompressionAlgorithm.UNKNOWN) {
        column.compression(compression.toCommon());
      }
      if (defaultValue != null) {
        byte[] cell = CellForm.of(name, type, attributes, defaultValue);
        column.readDefault(cell).writeDefault(cell);
      }
      return new ColumnSchema(
          column.build(), array ? Type.NESTED : type, keyUnique, attributes, encoding, compression);
    }

    private dev.kudu4j.common.schema.ColumnSchema.Builder typed() {
      DataType scalar = type.getDataType(attributes);
      return array
          ? dev.kudu4j.common.schema.ColumnSchema.arrayBuilder(name, scalar)
          : dev.kudu4j.common.schema.ColumnSchema.builder(
              name, wireType == null ? scalar : wireType);
    }

    private void checkArray() {
      if (defaultValue != null) {
        throw new IllegalArgumentException(
            "Array type column: " + name + " cannot have a default value");
      }
      if (key) {
        throw new IllegalArgumentException(
            "Array type column: " + name + " cannot be a key column");
      }
      if (withoutTimeZone) {
        throw new IllegalArgumentException(
            "Array type column: " + name + " cannot be without time zone");
      }
    }

    private void checkAttributes() {
      if (type == Type.DECIMAL && attributes == null) {
        throw new IllegalArgumentException(
            "DECIMAL's precision and scale must be set; column " + name + " has neither");
      }
      if (type == Type.VARCHAR
          && (attributes == null
              || !attributes.hasLength()
              || attributes.getLength() < CharUtil.MIN_VARCHAR_LENGTH
              || attributes.getLength() > CharUtil.MAX_VARCHAR_LENGTH)) {
        throw new IllegalArgumentException(
            String.format(
                "VARCHAR's length must be set and between %d and %d",
                CharUtil.MIN_VARCHAR_LENGTH, CharUtil.MAX_VARCHAR_LENGTH));
      }
    }
  }

  /**
   * Builds the auto-incrementing column of a non-unique key, for programs that configure its
   * storage; {@link Schema} adds this column itself if the given columns do not contain it.
   */
  public static class AutoIncrementingColumnSchemaBuilder {
    private final ColumnSchemaBuilder column =
        new ColumnSchemaBuilder(Schema.getAutoIncrementingColumnName(), Type.INT64);

    public AutoIncrementingColumnSchemaBuilder() {
      column.nonUniqueKey(true).autoIncrementing = true;
    }

    public AutoIncrementingColumnSchemaBuilder desiredBlockSize(int bytes) {
      column.desiredBlockSize(bytes);
      return this;
    }

    public AutoIncrementingColumnSchemaBuilder encoding(Encoding value) {
      column.encoding(value);
      return this;
    }

    public AutoIncrementingColumnSchemaBuilder compressionAlgorithm(CompressionAlgorithm value) {
      column.compressionAlgorithm(value);
      return this;
    }

    /** Sets the wire type if it differs from the one that follows from the column's type. */
    public AutoIncrementingColumnSchemaBuilder wireType(DataType value) {
      column.wireType(value);
      return this;
    }

    public AutoIncrementingColumnSchemaBuilder comment(String value) {
      column.comment(value);
      return this;
    }

    public ColumnSchema build() {
      return column.build();
    }
  }
}
