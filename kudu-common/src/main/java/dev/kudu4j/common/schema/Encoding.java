package dev.kudu4j.common.schema;

/**
 * The storage encoding a user asks for; what is on disk may differ where the data says so. Numbers
 * as on the wire.
 */
public enum Encoding {
  AUTO(0),
  PLAIN(1),
  PREFIX(2),
  RLE(4),
  DICTIONARY(5),
  BIT_SHUFFLE(6);

  private final int wireNumber;

  Encoding(int wireNumber) {
    this.wireNumber = wireNumber;
  }

  public int wireNumber() {
    return wireNumber;
  }

  /**
   * Whether a column of {@code type} may ask for this encoding: as Apache Kudu has it, which has no
   * runs of floats and of 128-bit numbers.
   */
  public boolean fits(DataType type) {
    return switch (this) {
      case AUTO, PLAIN -> true;
      case PREFIX, DICTIONARY -> type.isVariableLength();
      case RLE ->
          !type.isVariableLength()
              && type != DataType.FLOAT
              && type != DataType.DOUBLE
              && type.width() < 16;
      case BIT_SHUFFLE -> !type.isVariableLength() && type != DataType.BOOL;
    };
  }
}
