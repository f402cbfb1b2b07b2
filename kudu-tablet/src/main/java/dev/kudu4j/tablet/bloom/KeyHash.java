package dev.kudu4j.tablet.bloom;

import dev.kudu4j.common.memory.Memory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A 64-bit hash of an encoded key. The hash determines bits of Bloom filters on disk, so this
 * function never changes.
 *
 * <p>The length is the seed. The key is read in little-endian words of eight bytes, the last one
 * padded with zeros; a multiplication and a shift mix in each word. A final mixing step spreads the
 * result over all bits.
 */
public final class KeyHash {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long SEED = 0x6a09e667f3bcc909L;
  private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;

  private KeyHash() {}

  public static long of(long address, int length) {
    long hash = SEED ^ length * MULTIPLIER;
    int i = 0;
    for (; i + 8 <= length; i += 8) {
      hash = step(hash, Memory.getLong(address + i));
    }
    if (i < length) {
      long tail = 0;
      for (int shift = 0; i < length; i++, shift += 8) {
        tail |= (Memory.getByte(address + i) & 0xffL) << shift;
      }
      hash = step(hash, tail);
    }
    return finish(hash);
  }

  public static long of(byte[] key, int offset, int length) {
    long hash = SEED ^ length * MULTIPLIER;
    int i = 0;
    for (; i + 8 <= length; i += 8) {
      hash = step(hash, (long) LONGS.get(key, offset + i));
    }
    if (i < length) {
      long tail = 0;
      for (int shift = 0; i < length; i++, shift += 8) {
        tail |= (key[offset + i] & 0xffL) << shift;
      }
      hash = step(hash, tail);
    }
    return finish(hash);
  }

  private static long step(long hash, long word) {
    long mixed = (hash ^ word) * MULTIPLIER;
    return mixed ^ mixed >>> 29;
  }

  private static long finish(long hash) {
    long x = (hash ^ hash >>> 32) * 0xbf58476d1ce4e5b9L;
    x = (x ^ x >>> 29) * 0x94d049bb133111ebL;
    return x ^ x >>> 32;
  }
}
