package dev.kudu4j.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SamplesTest {
  @Test
  void percentileIsTheNearestRank() {
    long[] oneToHundred = LongStream.rangeClosed(1, 100).map(i -> 101 - i).toArray();
    assertThat(Samples.percentile(oneToHundred, 50)).isEqualTo(50);
    assertThat(Samples.percentile(oneToHundred, 99)).isEqualTo(99);
    assertThat(Samples.percentile(oneToHundred, 99.5)).isEqualTo(100);
    assertThat(Samples.percentile(oneToHundred, 100)).isEqualTo(100);
    assertThat(Samples.percentile(new long[] {7}, 1)).isEqualTo(7);
  }

  @Property
  void percentileIsNotExceededByItsShare(
      @ForAll @Size(min = 1, max = 50) long[] values,
      @ForAll @DoubleRange(min = 0.5, max = 100) double percent) {
    long found = Samples.percentile(values, percent);
    assertThat(values).contains(found);
    long notAbove = Arrays.stream(values).filter(v -> v <= found).count();
    long below = Arrays.stream(values).filter(v -> v < found).count();
    double share = percent / 100 * values.length;
    assertThat((double) notAbove).isGreaterThanOrEqualTo(share);
    assertThat((double) below).isLessThan(share);
  }

  @Test
  void medianIsTheMiddle() {
    assertThat(Samples.median(new double[] {9, 1, 5})).isEqualTo(5);
    assertThat(Samples.median(new double[] {9, 1, 5, 6})).isEqualTo(5.5);
  }

  @Test
  void valuesStayAsTheyAre() {
    double[] values = {3, 1, 2};
    Samples.median(values);
    assertThat(values).containsExactly(3, 1, 2);
  }

  @Test
  void nothingHasNoStatistics() {
    assertThatThrownBy(() -> Samples.median(new double[0])).hasMessageContaining("No median");
    assertThatThrownBy(() -> Samples.percentile(new long[0], 50))
        .hasMessageContaining("No percentile");
    assertThatThrownBy(() -> Samples.percentile(new long[] {1}, 0))
        .hasMessageContaining("No percentile");
  }

  @Test
  void geometricMeanOfInverseRatiosIsOne() {
    assertThat(Samples.geometricMean(new double[] {0.25, 4, 1})).isCloseTo(1, within(1e-12));
    assertThat(Samples.geometricMean(new double[] {2, 8})).isCloseTo(4, within(1e-12));
  }
}
