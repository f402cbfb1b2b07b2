package dev.kudu4j.common.schema;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A column of a schema. Immutable; created by {@link #builder}.
 *
 * <p>Defaults are in cell form; null means no default. The <em>read default</em> is the value of
 * rows that are older than the column. The <em>write default</em> is the value of a column that an
 * insert does not set. Arrays are shared with the caller, not copied; nobody may change them.
 */
public final class ColumnSchema {
  /** The id of a column that has no id yet, as in all messages from clients. */
  public static final int NO_ID = -1;

  private final int id;
  private final String name;
  private final DataType type;
  private final @Nullable DataType elementType;
  private final boolean key;
  private final boolean nullable;
  private final byte @Nullable [] readDefault;
  private final byte @Nullable [] writeDefault;
  private final Encoding encoding;
  private final Compression compression;
  private final int blockSizeBytes;
  private final int precision;
  private final int scale;
  private final int length;
  private final String comment;
  private final boolean immutable;
  private final boolean autoIncrementing;
  private final boolean withoutTimeZone;

  private ColumnSchema(Builder b) {
    this.id = b.id;
    this.name = Objects.requireNonNull(b.name);
    this.type = Objects.requireNonNull(b.type);
    this.elementType = b.elementType;
    this.key = b.key;
    this.nullable = b.nullable;
    this.readDefault = b.readDefault;
    this.writeDefault = b.writeDefault;
    this.encoding = b.encoding;
    this.compression = b.compression;
    this.blockSizeBytes = b.blockSizeBytes;
    this.precision = b.precision;
    this.scale = b.scale;
    this.length = b.length;
    this.comment = b.comment;
    this.immutable = b.immutable;
    this.autoIncrementing = b.autoIncrementing;
    this.withoutTimeZone = b.withoutTimeZone;
  }

  public static Builder builder(String name, DataType type) {
    if (type == DataType.NESTED) {
      throw new IllegalArgumentException(
          "The type of column " + name + " lacks its elements; use arrayBuilder");
    }
    return new Builder(name, type, null);
  }

  /** Builds a column of one-dimensional arrays of scalars. */
  public static Builder arrayBuilder(String name, DataType elementType) {
    if (elementType == DataType.NESTED) {
      throw new IllegalArgumentException(
          "The elements of column " + name + " cannot be arrays; use scalars");
    }
    return new Builder(name, DataType.NESTED, elementType);
  }

  public Builder toBuilder() {
    Builder b = new Builder(name, type, elementType);
    b.id = id;
    b.key = key;
    b.nullable = nullable;
    b.readDefault = readDefault;
    b.writeDefault = writeDefault;
    b.encoding = encoding;
    b.compression = compression;
    b.blockSizeBytes = blockSizeBytes;
    b.precision = precision;
    b.scale = scale;
    b.length = length;
    b.comment = comment;
    b.immutable = immutable;
    b.autoIncrementing = autoIncrementing;
    b.withoutTimeZone = withoutTimeZone;
    return b;
  }

  public int id() {
    return id;
  }

  public String name() {
    return name;
  }

  public DataType type() {
    return type;
  }

  /** The type of the elements of an array column; null for a scalar column. */
  public @Nullable DataType elementType() {
    return elementType;
  }

  public boolean isArray() {
    return elementType != null;
  }

  /** The type of a single value: of an element for an array column, else of the column. */
  public DataType scalarType() {
    return elementType == null ? type : elementType;
  }

  /**
   * A scalar column of the elements' type, to handle elements like cells. For array columns only.
   */
  public ColumnSchema element() {
    return new Builder(name, Objects.requireNonNull(elementType, "not an array column"), null)
        .nullable(true)
        .decimal(precision, scale)
        .length(length)
        .build();
  }

  /** Builds a column of the same name and type; all other attributes are not set. */
  public Builder ofSameType() {
    return new Builder(name, type, elementType).decimal(precision, scale).length(length);
  }

  public boolean isKey() {
    return key;
  }

  public boolean isNullable() {
    return nullable;
  }

  public byte @Nullable [] readDefault() {
    return readDefault;
  }

  public byte @Nullable [] writeDefault() {
    return writeDefault;
  }

  public Encoding encoding() {
    return encoding;
  }

  public Compression compression() {
    return compression;
  }

  /** Requested page size; 0 lets the server choose. */
  public int blockSizeBytes() {
    return blockSizeBytes;
  }

  /** Number of digits of a decimal or of the decimals in an array; 0 for other types. */
  public int precision() {
    return precision;
  }

  public int scale() {
    return scale;
  }

  /** Maximum number of characters of a varchar or of those in an array; 0 for other types. */
  public int length() {
    return length;
  }

  public String comment() {
    return comment;
  }

  public boolean isImmutable() {
    return immutable;
  }

  public boolean isAutoIncrementing() {
    return autoIncrementing;
  }

  /**
   * Whether the cells of a UNIXTIME_MICROS column are local date-times: their microseconds count
   * from 1970-01-01 00:00 as if the date-times were in UTC. This does not change how cells are
   * stored and compared.
   */
  public boolean isWithoutTimeZone() {
    return withoutTimeZone;
  }

  /**
   * The type as messages show it: {@code INT32 NOT NULL}, {@code DECIMAL(10, 2) NULLABLE}, {@code
   * UNIXTIME_MICROS WITHOUT TIME ZONE NULLABLE}, {@code INT32 1D-ARRAY NULLABLE}.
   */
  public String typeText() {
    String base =
        switch (scalarType()) {
          case DECIMAL32, DECIMAL64, DECIMAL128 -> "DECIMAL(" + precision + ", " + scale + ")";
          case VARCHAR -> "VARCHAR(" + length + ")";
          default -> scalarType().name() + (withoutTimeZone ? " WITHOUT TIME ZONE" : "");
        };
    return base + (isArray() ? " 1D-ARRAY" : "") + (nullable ? " NULLABLE" : " NOT NULL");
  }

  @Override
  public String toString() {
    return name + " " + typeText();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ColumnSchema that
        && id == that.id
        && name.equals(that.name)
        && type == that.type
        && elementType == that.elementType
        && key == that.key
        && nullable == that.nullable
        && Arrays.equals(readDefault, that.readDefault)
        && Arrays.equals(writeDefault, that.writeDefault)
        && encoding == that.encoding
        && compression == that.compression
        && blockSizeBytes == that.blockSizeBytes
        && precision == that.precision
        && scale == that.scale
        && length == that.length
        && comment.equals(that.comment)
        && immutable == that.immutable
        && autoIncrementing == that.autoIncrementing
        && withoutTimeZone == that.withoutTimeZone;
  }

  @Override
  public int hashCode() {
    return Objects.hash(id, name, type, key, nullable);
  }

  /** Builds a {@link ColumnSchema}. */
  public static final class Builder {
    private int id = NO_ID;
    private String name;
    private final DataType type;
    private final @Nullable DataType elementType;
    private boolean key;
    private boolean nullable;
    private byte @Nullable [] readDefault;
    private byte @Nullable [] writeDefault;
    private Encoding encoding = Encoding.AUTO;
    private Compression compression = Compression.DEFAULT;
    private int blockSizeBytes;
    private int precision;
    private int scale;
    private int length;
    private String comment = "";
    private boolean immutable;
    private boolean autoIncrementing;
    private boolean withoutTimeZone;

    private Builder(String name, DataType type, @Nullable DataType elementType) {
      this.name = name;
      this.type = type;
      this.elementType = elementType;
    }

    public Builder id(int value) {
      id = value;
      return this;
    }

    public Builder name(String value) {
      name = value;
      return this;
    }

    public Builder key(boolean value) {
      key = value;
      return this;
    }

    public Builder nullable(boolean value) {
      nullable = value;
      return this;
    }

    public Builder readDefault(byte @Nullable [] cell) {
      readDefault = cell;
      return this;
    }

    public Builder writeDefault(byte @Nullable [] cell) {
      writeDefault = cell;
      return this;
    }

    public Builder encoding(Encoding value) {
      encoding = value;
      return this;
    }

    public Builder compression(Compression value) {
      compression = value;
      return this;
    }

    public Builder blockSizeBytes(int value) {
      blockSizeBytes = value;
      return this;
    }

    public Builder decimal(int precisionDigits, int scaleDigits) {
      precision = precisionDigits;
      scale = scaleDigits;
      return this;
    }

    public Builder length(int characters) {
      length = characters;
      return this;
    }

    public Builder comment(String value) {
      comment = value;
      return this;
    }

    public Builder immutable(boolean value) {
      immutable = value;
      return this;
    }

    public Builder autoIncrementing(boolean value) {
      autoIncrementing = value;
      return this;
    }

    public Builder withoutTimeZone(boolean value) {
      withoutTimeZone = value;
      return this;
    }

    public ColumnSchema build() {
      return new ColumnSchema(this);
    }
  }
}
