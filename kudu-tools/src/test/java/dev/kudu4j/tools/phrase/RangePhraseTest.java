package dev.kudu4j.tools.phrase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class RangePhraseTest {
  @Test
  void everyFormThatDescribePrintsIsRead() {
    assertRange("0 <= VALUES < 10", List.of("0"), true, List.of("10"), false);
    assertRange("PARTITION VALUES >= 10", List.of("10"), true, List.of(), false);
    assertRange("values > 10", List.of("10"), false, List.of(), false);
    assertRange("VALUES < \"m\"", List.of(), true, List.of("m"), false);
    assertRange("5 <= values", List.of("5"), true, List.of(), false);
    assertRange("VALUE = 3", List.of("3"), true, List.of("3"), true);
    assertRange("UNBOUNDED", List.of(), true, List.of(), false);
    assertRange("(1, 'a') < VALUES <= (2, 'b')", List.of("1", "a"), false, List.of("2", "b"), true);
    assertThat(RangePhrase.values("--split", "(1, 'x y')")).containsExactly("1", "x y");
  }

  private static void assertRange(
      String text, List<String> lower, boolean lowerIn, List<String> upper, boolean upperIn) {
    assertThat(RangePhrase.parse("--range", text))
        .isEqualTo(new RangePhrase(lower, lowerIn, upper, upperIn));
  }

  @Test
  void errorsHaveThePosition() {
    assertError("0 VALUES 10", "'VALUES' at character 3, expected '<'");
    assertError("0 <= VALUES < ", "the text ends at character 15, expected a value");
    assertError("0 <= VALUES < 10 x", "expected the end");
    assertError("(1, 2) <= VALUES < 3", "2 lower and 1 upper values");
  }

  private static void assertError(String text, String... parts) {
    assertThatThrownBy(() -> RangePhrase.parse("--range", text)).hasMessageContainingAll(parts);
  }
}
