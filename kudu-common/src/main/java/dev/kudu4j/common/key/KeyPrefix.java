package dev.kudu4j.common.key;

import dev.kudu4j.common.memory.Memory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The first eight bytes of an encoded key, or of what follows some position in it, as a number: so
 * that most comparisons of keys are comparisons of numbers.
 *
 * <p>Signed numbers stand in the order of the unsigned bytes. A shorter key is filled up with
 * zeros: keys with different prefixes are in the order of these, keys with equal ones need a
 * further look.
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
