package dev.kudu4j.benchmarks.mixed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.benchmarks.mixed.Verdicts.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

class VerdictsTest {
  private static final long LIMIT = 1_000_000;

  private static Second second(
      int i, long memory, long fullCollections, double height, long nanos) {
    long[] calls = {nanos};
    return new Second(
        i,
        i,
        memory,
        memory,
        0,
        0,
        0,
        0,
        0,
        0,
        fullCollections,
        1,
        height,
        1,
        1,
        0,
        0,
        calls,
        calls,
        calls,
        calls);
  }

  private static List<String> no(IntFunction<Second> seconds) {
    List<Second> all = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      all.add(seconds.apply(i));
    }
    return new Verdicts(all, LIMIT)
        .all().stream().filter(verdict -> !verdict.isYes()).map(Verdict::question).toList();
  }

  @Test
  void whatStaysAsItIsPasses() {
    assertThat(no(i -> second(i, 500_000, 0, 2, 1_000_000))).isEmpty();
  }

  @Test
  void whatGrowsWhileWarmingUpPasses() {
    assertThat(no(i -> second(i, Math.min(i, 20) * 10_000L, 0, 2, i < 20 ? 50_000_000 : 1_000_000)))
        .isEmpty();
  }

  @Test
  void growthIsNamed() {
    assertThat(no(i -> second(i, i * 9_000L, 0, 2, 1_000_000))).containsExactly("memory flat");
    assertThat(no(i -> second(i, 500_000, 0, 2, 1_000_000 + (long) i * i * 1_000)))
        .containsExactly("p99 of look-ups flat", "p99 of scans flat");
    assertThat(no(i -> second(i, 500_000, 0, i, 1_000_000)))
        .containsExactly("rowset height bounded");
  }

  @Test
  void oneFullCollectionAndOneByteTooManyAreNamed() {
    assertThat(no(i -> second(i, 500_000, i / 99, 2, 1_000_000)))
        .containsExactly("no full collection");
    assertThat(no(i -> second(i, i == 30 ? LIMIT + 1 : LIMIT, 0, 2, 1_000_000)))
        .containsExactly("memory within the limit");
  }
}
