package dev.kudu4j.tablet.scan.aggregate;

import dev.kudu4j.tablet.batch.NumberVector;
import dev.kudu4j.tablet.scan.expression.NumberNode;
import dev.kudu4j.tablet.scan.expression.RowChunk;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The sum of an expression per group. Exact numbers are summed in 64 bits, and in a BigInteger
 * after an overflow. Also counts the NULLs.
 */
final class SumAccumulator {
  /** The sum of a chunk fits into 64 bits if the absolute value of each number is below this. */
  private static final long SMALL = 1L << 52;

  /** The memory of a BigInteger of a few words. */
  private static final int BIG_INTEGER_BYTES = 72;

  private final NumberNode node;
  private long[] exact = new long[1];
  private @Nullable BigInteger @Nullable [] carried;
  private int carriedCount;
  private double[] floating = new double[1];
  private long[] nulls = new long[1];

  // Sums of the chunk by slot; the second half of each array is for odd rows.
  private long[] chunkExact = new long[4];
  private double[] chunkFloating = new double[4];

  SumAccumulator(NumberNode node) {
    this.node = node;
  }

  NumberNode node() {
    return node;
  }

  /** Whether the chunk's numbers can be summed without inspecting each one. */
  static boolean isPlain(NumberVector numbers) {
    return !numbers.hasNulls()
        && (numbers.kind() == NumberVector.Kind.DOUBLES
            || (numbers.low() > -SMALL && numbers.high() < SMALL));
  }

  void reserveGroups(int groups) {
    if (groups > exact.length) {
      int length = Math.max(groups, 2 * exact.length);
      exact = Arrays.copyOf(exact, length);
      floating = Arrays.copyOf(floating, length);
      nulls = Arrays.copyOf(nulls, length);
      carried = carried == null ? null : Arrays.copyOf(carried, length);
    }
  }

  long[] chunkExact(int length) {
    if (chunkExact.length < length) {
      chunkExact = new long[2 * length];
    }
    return chunkExact;
  }

  double[] chunkFloating(int length) {
    if (chunkFloating.length < length) {
      chunkFloating = new double[2 * length];
    }
    return chunkFloating;
  }

  void add(int group, long value) {
    long sum = exact[group] + value;
    if (((exact[group] ^ sum) & (value ^ sum)) < 0) {
      add(group, BigInteger.valueOf(exact[group]));
      sum = value;
    }
    exact[group] = sum;
  }

  void add(int group, BigInteger value) {
    if (carried == null) {
      carried = new BigInteger[exact.length];
    }
    carriedCount += carried[group] == null ? 1 : 0;
    carried[group] = carried[group] == null ? value : carried[group].add(value);
  }

  void add(int group, double value) {
    floating[group] += value;
  }

  /** Adds numbers one by one, for numbers that are not plain. */
  void addEach(NumberVector numbers, int[] slots, RowChunk chunk, Groups groups) {
    for (int i = 0; i < chunk.count(); i++) {
      if (slots[i] == groups.slotCount()) {
        continue;
      }
      int group = groups.groupOf(slots[i]);
      reserveGroups(group + 1);
      if (numbers.isNull(i)) {
        nulls[group]++;
      } else if (node.isFloating()) {
        add(group, numbers.doubles()[i]);
      } else {
        add(group, numbers.number(i));
      }
    }
  }

  /** Counts NULLs of a group. */
  void addNulls(int group, long count) {
    reserveGroups(group + 1);
    nulls[group] += count;
  }

  long nulls(int group) {
    return group < nulls.length ? nulls[group] : 0;
  }

  /** The memory of the sums of all groups. */
  long bytes() {
    long bytes = (long) Long.BYTES * (exact.length + floating.length + nulls.length);
    return carried == null
        ? bytes
        : bytes + (long) Long.BYTES * carried.length + (long) BIG_INTEGER_BYTES * carriedCount;
  }

  /** The memory for a chunk. */
  long chunkBytes() {
    return (long) Long.BYTES * (chunkExact.length + chunkFloating.length);
  }

  /** The sum: a Double or a BigDecimal. */
  Number value(int group) {
    return node.isFloating()
        ? (Number) floating[group]
        : new BigDecimal(unscaled(group), node.scale());
  }

  /** The sum of exact numbers, in units of their last digit. */
  BigInteger unscaled(int group) {
    BigInteger sum = BigInteger.valueOf(exact[group]);
    if (carried == null || group >= carried.length) {
      return sum;
    }
    BigInteger more = carried[group];
    return more == null ? sum : sum.add(more);
  }
}
