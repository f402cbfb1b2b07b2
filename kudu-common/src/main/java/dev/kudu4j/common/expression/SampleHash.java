package dev.kudu4j.common.expression;

import dev.kudu4j.common.predicate.FastHash;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import org.jspecify.annotations.Nullable;

/**
 * The hash by which samples select rows. Servers and clients of all versions must agree on it, so
 * it never changes.
 *
 * <pre>
 *   hash  = mix(seed), then for each word of each cell: mix(hash XOR word)
 *   words : of 1 to 8 bytes   the number, extended to 64 bits
 *           of 16 bytes       the lower half, the upper half
 *           of any length     FastHash of the bytes, with seed 0
 *           of NULL           FastHash's hash of NULL, with seed 0
 *   place = the upper 53 bits of the hash / 2^53
 * </pre>
 *
 * <p>{@code mix} is the finalizer of SplitMix64 (Stafford's variant 13) after the addition of the
 * golden ratio: every bit of the word changes about half of the bits of the hash.
 */
public final class SampleHash {
  /** The word of NULL. */
  public static final long NULL_WORD = FastHash.hash64OfNull(0);

  /** The bits of a place: as many as a double has. */
  public static final int PLACE_BITS = 53;

  private static final long GOLDEN_RATIO = 0x9e3779b97f4a7c15L;
  private static final double PLACES = 0x1p53;

  private SampleHash() {}

  /** The hash before the first column. */
  public static long start(long seed) {
    return mix(seed);
  }

  /** The hash after one more word. */
  public static long add(long hash, long word) {
    return mix(hash ^ word);
  }

  private static long mix(long value) {
    long z = value + GOLDEN_RATIO;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /** The place of a row, in units of 2^-53. */
  public static long place(long hash) {
    return hash >>> (Long.SIZE - PLACE_BITS);
  }

  /** The first place at or above a fraction, in units of 2^-53. */
  public static long bound(double fraction) {
    return (long) Math.ceil(fraction * PLACES);
  }

  /** Whether the sample contains the row. */
  static boolean keeps(Condition.Sample sample, RowEvaluator.Row row) {
    long hash = start(sample.seed());
    for (ColumnSchema column : sample.columns()) {
      hash = add(hash, column.type(), row.cell(column));
    }
    long place = place(hash);
    return place >= bound(sample.lower()) && place < bound(sample.upper());
  }

  static long add(long hash, DataType type, byte @Nullable [] cell) {
    if (cell == null) {
      return add(hash, NULL_WORD);
    }
    return switch (type.width()) {
      case 0 -> add(hash, FastHash.hash64(cell, 0, cell.length, 0));
      case 1 -> add(hash, type.isUnsigned() ? cell[0] & 0xffL : cell[0]);
      case 2 -> {
        short number = LittleEndian.getShort(cell, 0);
        yield add(hash, type.isUnsigned() ? number & 0xffffL : number);
      }
      case 4 -> {
        int number = LittleEndian.getInt(cell, 0);
        yield add(hash, type.isUnsigned() ? number & 0xffffffffL : number);
      }
      case 8 -> add(hash, LittleEndian.getLong(cell, 0));
      default -> add(add(hash, LittleEndian.getLong(cell, 0)), LittleEndian.getLong(cell, 8));
    };
  }
}
