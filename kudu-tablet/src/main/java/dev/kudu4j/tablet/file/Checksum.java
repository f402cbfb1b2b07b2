package dev.kudu4j.tablet.file;

import dev.kudu4j.common.memory.Memory;
import java.util.zip.CRC32C;

/** CRC32C of raw memory and arrays. */
public final class Checksum {
  private Checksum() {}

  public static int of(long address, int bytes) {
    CRC32C crc = new CRC32C();
    crc.update(Memory.byteBuffer(address, bytes));
    return (int) crc.getValue();
  }

  public static int of(byte[] array, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(array, offset, length);
    return (int) crc.getValue();
  }
}
