package dev.kudu4j.common.key;

import dev.kudu4j.common.memory.Memory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The first eight bytes of an encoded key, or of a part of the key, as a number. Most comparisons
 * of keys thus become comparisons of numbers.
 *
 * <p>The order of the signed numbers is that of the unsigned bytes. Shorter keys are padded with
 * zeros. Keys with different prefixes are ordered as their prefixes; keys with equal prefixes must
 * be compared further.
 */
public final class KeyPrefix {
  private static final VarHandle BIG_ENDIAN_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private KeyPrefix() {}

  public static long of(byte[] key) {
    return of(key, 0, key.length);
  }

  public static long of(byte[] array, int offset, int length) {
    if (length >= Long.BYTES) {
      return (long) BIG_ENDIAN_LONG.get(array, offset) ^ Long.MIN_VALUE;
    }
    long prefix = 0;
    for (int i = 0; i < length; i++) {
      prefix |= (array[offset + i] & 0xffL) << (56 - 8 * i);
    }
    return prefix ^ Long.MIN_VALUE;
  }

  public static long of(long address, int length) {
    if (length >= Long.BYTES) {
      return Long.reverseBytes(Memory.getLong(address)) ^ Long.MIN_VALUE;
    }
    long prefix = 0;
    for (int i = 0; i < length; i++) {
      prefix |= (Memory.getByte(address + i) & 0xffL) << (56 - 8 * i);
    }
    return prefix ^ Long.MIN_VALUE;
  }
}
