package dev.kudu4j.common.schema;

/**
 * The encoding that a user requests for a column. Data on disk may use another encoding if that
 * suits the data better. Numbers are those of the wire protocol.
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
   * Whether columns of {@code type} support this encoding. As in Apache Kudu, run-length encoding
   * does not support floats and 128-bit integers.
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
