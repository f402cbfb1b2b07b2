package dev.kudu4j.common.schema;

/**
 * The compression that a user requests for a column. Numbers are those of the wire protocol.
 * Numbers from 1000 on are extensions of Kudu4j; clients of Apache Kudu read them as {@link
 * #DEFAULT}.
 */
public enum Compression {
  DEFAULT(0),
  NONE(1),
  SNAPPY(2),
  LZ4(3),
  ZLIB(4),
  ZSTD(1000),
  BZIP2(1001);

  private final int wireNumber;

  Compression(int wireNumber) {
    this.wireNumber = wireNumber;
  }

  public int wireNumber() {
    return wireNumber;
  }
}
