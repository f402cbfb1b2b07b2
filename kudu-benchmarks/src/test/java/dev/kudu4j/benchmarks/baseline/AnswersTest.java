package dev.kudu4j.benchmarks.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AnswersTest {
  private static final List<List<String>> ANSWER =
      List.of(List.of("A", "10.50", "3"), List.of("B", "2.25", "1"));

  @Test
  void formOfNumbersDoesNotMatter() {
    assertThat(same(List.of(List.of("A", "10.5", "3.0"), List.of("B", "2.2500000000001", "1"))))
        .isTrue();
  }

  @Test
  void otherNumberTextOrderOrCountDiffers() {
    assertThat(same(List.of(List.of("A", "10.51", "3"), List.of("B", "2.25", "1")))).isFalse();
    assertThat(same(List.of(List.of("X", "10.50", "3"), List.of("B", "2.25", "1")))).isFalse();
    assertThat(same(List.of(List.of("B", "2.25", "1"), List.of("A", "10.50", "3")))).isFalse();
    assertThat(same(List.of(List.of("A", "10.50", "3")))).isFalse();
    assertThat(same(List.of(List.of("A", "10.50"), List.of("B", "2.25", "1")))).isFalse();
  }

  private static boolean same(List<List<String>> other) {
    return Answers.areSame(ANSWER, other);
  }
}
