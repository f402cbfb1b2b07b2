package dev.kudu4j;

import java.util.Objects;

/** The parameters of a parameterised type. Immutable. */
public final class ColumnTypeAttributes {
  private final Integer precision;
  private final Integer scale;
  private final Integer length;

  private ColumnTypeAttributes(Integer precision, Integer scale, Integer length) {
    this.precision = precision;
    this.scale = scale;
    this.length = length;
  }

  public boolean hasPrecision() {
    return precision != null;
  }

  /** Digits of a decimal; 0 if not set. */
  public int getPrecision() {
    return precision == null ? 0 : precision;
  }

  public boolean hasScale() {
    return scale != null;
  }

  /** Digits after the decimal point; 0 if not set. */
  public int getScale() {
    return scale == null ? 0 : scale;
  }

  public boolean hasLength() {
    return length != null;
  }

  /** Maximum characters of a varchar; 0 if not set. */
  public int getLength() {
    return length == null ? 0 : length;
  }

  /** {@code (10, 2)} for a decimal, {@code (20)} for a varchar, else nothing. */
  public String toStringForType(Type type) {
    return switch (type) {
      case DECIMAL -> "(" + getPrecision() + ", " + getScale() + ")";
      case VARCHAR -> "(" + getLength() + ")";
      default -> "";
    };
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ColumnTypeAttributes that
        && Objects.equals(precision, that.precision)
        && Objects.equals(scale, that.scale)
        && Objects.equals(length, that.length);
  }

  @Override
  public int hashCode() {
    return Objects.hash(precision, scale, length);
  }

  @Override
  public String toString() {
    return "hasPrecision: "
        + hasPrecision()
        + ", precision: "
        + getPrecision()
        + ", hasScale: "
        + hasScale()
        + ", scale: "
        + getScale()
        + ", hasLength: "
        + hasLength()
        + ", length: "
        + getLength();
  }

  /** Builds {@link ColumnTypeAttributes}. */
  public static class ColumnTypeAttributesBuilder {
    private Integer precision;
    private Integer scale;
    private Integer length;

    public ColumnTypeAttributesBuilder precision(int digits) {
      precision = digits;
      return this;
    }

    public ColumnTypeAttributesBuilder scale(int digits) {
      scale = digits;
      return this;
    }

    public ColumnTypeAttributesBuilder length(int characters) {
      length = characters;
      return this;
    }

    public ColumnTypeAttributes build() {
      return new ColumnTypeAttributes(precision, scale, length);
    }
  }
}
