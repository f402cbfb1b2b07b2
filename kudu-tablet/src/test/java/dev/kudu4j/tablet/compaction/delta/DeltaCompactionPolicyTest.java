package dev.kudu4j.tablet.compaction.delta;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DeltaCompactionPolicyTest {
  private static DeltaCompactionPolicy.Range toMerge(long... bytes) {
    return DeltaCompactionPolicy.toMerge(bytes, 1 << 20);
  }

  @Test
  void oneFileIsNotCompacted() {
    assertThat(toMerge()).isNull();
    assertThat(toMerge(7)).isNull();
  }

  @Test
  void filesOfSimilarSizeAreMergedWithoutALargeOldOne() {
    assertThat(toMerge(10, 10)).isEqualTo(new DeltaCompactionPolicy.Range(0, 2));
    assertThat(toMerge(1000, 10, 10, 10)).isEqualTo(new DeltaCompactionPolicy.Range(1, 3));
    assertThat(toMerge(4, 2, 1)).isNull();
  }

  @Test
  void compactionsAboveTheBudgetAreNotChosen() {
    assertThat(DeltaCompactionPolicy.toMerge(new long[] {50, 50, 50}, 100))
        .isEqualTo(new DeltaCompactionPolicy.Range(1, 2));
    assertThat(DeltaCompactionPolicy.toMerge(new long[] {500, 500}, 100)).isNull();
  }

  @Test
  void filesStayFewAndBytesAreWrittenFewTimes() {
    Random random = new Random(5);
    List<Long> files = new ArrayList<>();
    long flushed = 0;
    long written = 0;
    for (int flush = 0; flush < 4096; flush++) {
      long bytes = random.nextLong(1, 21);
      files.add(bytes);
      flushed += bytes;
      DeltaCompactionPolicy.Range range =
          DeltaCompactionPolicy.toMerge(files.stream().mapToLong(b -> b).toArray(), Long.MAX_VALUE);
      if (range != null) {
        List<Long> merged = files.subList(range.first(), range.first() + range.count());
        long sum = merged.stream().mapToLong(b -> b).sum();
        merged.clear();
        files.add(range.first(), sum);
        written += sum;
      }
      assertThat(files).hasSizeLessThanOrEqualTo(2 + 64 - Long.numberOfLeadingZeros(flushed));
    }
    assertThat(written).isLessThan(flushed * 2 * 16);
  }

  @Test
  void aMajorCompactionHasAGainFromATwentiethOfTheRowsOn() {
    assertThat(DeltaCompactionPolicy.majorGain(4, 100)).isZero();
    assertThat(DeltaCompactionPolicy.majorGain(5, 100)).isEqualTo(0.05);
    assertThat(DeltaCompactionPolicy.majorGain(500, 100)).isEqualTo(1);
    assertThat(DeltaCompactionPolicy.majorGain(0, 0)).isZero();
  }

  @Test
  void aColumnWithFewChangesIsOnlyCompactedWithOthers() {
    assertThat(DeltaCompactionPolicy.goesAlong(9, 1000)).isFalse();
    assertThat(DeltaCompactionPolicy.goesAlong(10, 1000)).isTrue();
    assertThat(DeltaCompactionPolicy.majorGain(10, 1000)).isZero();
    assertThat(DeltaCompactionPolicy.goesAlong(0, 0)).isFalse();
  }
}
