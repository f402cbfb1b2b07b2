package dev.kudu4j.tablet.scan.aggregate;

import dev.kudu4j.tablet.batch.NumberVector;
import dev.kudu4j.tablet.scan.expression.NumberNode;
import dev.kudu4j.tablet.scan.expression.RowChunk;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The smallest or largest number of an expression per group. NaN is above all other numbers. */
final class MinMaxAccumulator {
  private final NumberNode node;
  private final boolean largest;
  private long[] exact = new long[0];
  private double[] floating = new double[0];
  private boolean[] known = new boolean[0];

  MinMaxAccumulator(NumberNode node, boolean largest) {
    this.node = node;
    this.largest = largest;
  }

  void add(int[] slots, RowChunk chunk, Groups groups) throws IOException {
    NumberVector numbers = node.evaluate(chunk);
    for (int i = 0; i < chunk.count(); i++) {
      if (slots[i] != groups.slotCount() && !numbers.isNull(i)) {
        int group = groups.groupOf(slots[i]);
        reserve(group);
        if (node.isFloating()) {
          offer(group, numbers.doubles()[i]);
        } else {
          offer(group, numbers.number(i));
        }
        known[group] = true;
      }
    }
  }

  /** Adds an exact number, in units of its last digit, to a group. */
  void add(int group, long unscaled) {
    reserve(group);
    offer(group, unscaled);
    known[group] = true;
  }

  private void reserve(int group) {
    if (group >= known.length) {
      int length = Math.max(group + 1, 2 * known.length);
      exact = Arrays.copyOf(exact, length);
      floating = Arrays.copyOf(floating, length);
      known = Arrays.copyOf(known, length);
    }
  }

  private void offer(int group, long value) {
    if (!known[group] || (largest ? value > exact[group] : value < exact[group])) {
      exact[group] = value;
    }
  }

  private void offer(int group, double value) {
    int order = known[group] ? Double.compare(value, floating[group]) : 0;
    if (!known[group] || (largest ? order > 0 : order < 0)) {
      floating[group] = value;
    }
  }

  /** The memory of the numbers of all groups. */
  long bytes() {
    return (2L * Long.BYTES + 1) * known.length;
  }

  boolean isLargest() {
    return largest;
  }

  NumberNode node() {
    return node;
  }

  /** Whether the group has a number. */
  boolean isKnown(int group) {
    return group < known.length && known[group];
  }

  double floating(int group) {
    return floating[group];
  }

  /** An exact number, in units of its last digit. */
  long unscaled(int group) {
    return exact[group];
  }

  /** The smallest or largest number; null if the group has no number. */
  @Nullable Number value(int group) {
    if (!isKnown(group)) {
      return null;
    }
    return node.isFloating()
        ? (Number) floating[group]
        : new BigDecimal(BigInteger.valueOf(exact[group]), node.scale());
  }
}
