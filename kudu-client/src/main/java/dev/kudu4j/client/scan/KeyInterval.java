package dev.kudu4j.client.scan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/**
 * Encoded keys from {@code start}, inclusive, to {@code end}, exclusive, as unsigned bytes; empty
 * means unbounded. The arrays are shared and must not be changed.
 */
public record KeyInterval(byte[] start, byte[] end) {
  private static final byte[] NOTHING = new byte[0];

  /** Every key. */
  public static final KeyInterval ALL = new KeyInterval(NOTHING, NOTHING);

  public boolean hasEnd() {
    return end.length > 0;
  }

  public boolean isEmpty() {
    return hasEnd() && Arrays.compareUnsigned(start, end) >= 0;
  }

  public KeyInterval intersect(KeyInterval other) {
    byte[] from = Arrays.compareUnsigned(start, other.start) >= 0 ? start : other.start;
    return new KeyInterval(from, earlierEnd(end, other.end));
  }

  /** The earlier of two ends. An empty end is unbounded, so it is the later one. */
  static byte[] earlierEnd(byte[] a, byte[] b) {
    if (a.length == 0 || b.length == 0) {
      return a.length == 0 ? b : a;
    }
    return Arrays.compareUnsigned(a, b) <= 0 ? a : b;
  }

  /**
   * Whether a partition or interval that starts at {@code from} and ends at {@code to} overlaps
   * this interval.
   */
  public boolean overlaps(byte[] from, byte[] to) {
    return !intersect(new KeyInterval(from, to)).isEmpty();
  }

  /** The same keys in as few intervals as possible, ascending. */
  static List<KeyInterval> merged(List<KeyInterval> intervals) {
    List<KeyInterval> sorted = new ArrayList<>(intervals);
    sorted.removeIf(KeyInterval::isEmpty);
    sorted.sort(Comparator.comparing(KeyInterval::start, Arrays::compareUnsigned));
    List<KeyInterval> merged = new ArrayList<>();
    for (KeyInterval next : sorted) {
      KeyInterval last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
      if (last == null || last.endsBefore(next)) {
        merged.add(next);
      } else {
        boolean open = !last.hasEnd() || !next.hasEnd();
        byte[] end =
            open ? NOTHING : Arrays.compareUnsigned(last.end, next.end) >= 0 ? last.end : next.end;
        merged.set(merged.size() - 1, new KeyInterval(last.start, end));
      }
    }
    return merged;
  }

  private boolean endsBefore(KeyInterval next) {
    return hasEnd() && Arrays.compareUnsigned(end, next.start) < 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyInterval that
        && Arrays.equals(start, that.start)
        && Arrays.equals(end, that.end);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(start) + Arrays.hashCode(end);
  }

  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return "[" + hex.formatHex(start) + ", " + hex.formatHex(end) + ")";
  }
}
