package dev.kudu4j.tablet.components;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeyIntervalsTest {
  private record Interval(int min, int max) {}

  private static byte[] key(int value) {
    return new byte[] {(byte) (value >>> 8), (byte) value};
  }

  private static KeyIntervals of(List<Interval> sorted) {
    return new KeyIntervals(
        sorted.stream().map(i -> key(i.min)).toArray(byte[][]::new),
        sorted.stream().map(i -> key(i.max)).toArray(byte[][]::new));
  }

  private static List<Integer> holding(KeyIntervals intervals, int count, byte[] key) {
    List<Integer> found = new ArrayList<>();
    int i = intervals.coveringBefore(count, key, 0, key.length);
    for (; i >= 0; i = intervals.coveringBefore(i, key, 0, key.length)) {
      found.add(i);
    }
    return found;
  }

  @Test
  void findsAllIntervalsThatContainAKey() {
    Random random = new Random(5);
    for (int round = 0; round < 300; round++) {
      int count = random.nextInt(round % 40 + 1);
      int longest = 1 + random.nextInt(round % 7 == 0 ? 3000 : 60);
      List<Interval> sorted = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int min = random.nextInt(1000);
        sorted.add(new Interval(min, min + random.nextInt(longest)));
      }
      sorted.sort((a, b) -> Integer.compare(a.min, b.min));
      KeyIntervals intervals = of(sorted);
      for (int value = 0; value < 4100; value += 1 + random.nextInt(40)) {
        List<Integer> expected = new ArrayList<>();
        for (int i = count - 1; i >= 0; i--) {
          if (sorted.get(i).min <= value && value <= sorted.get(i).max) {
            expected.add(i);
          }
        }
        assertThat(holding(intervals, count, key(value))).isEqualTo(expected);
      }
    }
  }

  @Test
  void aKeyWithinALargerArrayIsCompared() {
    KeyIntervals intervals = of(List.of(new Interval(5, 7)));
    byte[] array = Arrays.copyOf(new byte[] {9, 0, 6, 9}, 4);
    assertThat(intervals.coveringBefore(1, array, 1, 2)).isZero();
    assertThat(intervals.coveringBefore(1, array, 0, 2)).isEqualTo(-1);
  }

  /**
   * An interval that contains all others must not make the search visit all of them: that would
   * take minutes instead of a part of a second.
   */
  @Test
  void isFastAlsoIfOneIntervalContainsAllOthers() {
    int count = 1 << 19;
    byte[][] minKeys = new byte[count][];
    byte[][] maxKeys = new byte[count][];
    minKeys[0] = longKey(0);
    maxKeys[0] = longKey(Integer.MAX_VALUE);
    for (int i = 1; i < count; i++) {
      minKeys[i] = longKey(4 * i);
      maxKeys[i] = longKey(4 * i + 1);
    }
    KeyIntervals intervals = new KeyIntervals(minKeys, maxKeys);
    long found = 0;
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      found += holding(intervals, count, longKey(4 * i + 2)).size();
    }
    assertThat(found).isEqualTo(count);
    assertThat(System.nanoTime() - start).isLessThan(60_000_000_000L);
  }

  private static byte[] longKey(int value) {
    return ByteBuffer.allocate(4).putInt(value).array();
  }
}
