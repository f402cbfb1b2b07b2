package dev.kudu4j.common.schema;

/**
 * The storage compression a user asks for. Numbers as on the wire; from 1000 up they are ours, and
 * clients of Apache Kudu read them as {@link #DEFAULT}.
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
