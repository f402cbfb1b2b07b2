package dev.kudu4j.common.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class LikePatternTest {
  private static final String[] PARTS = {
    "%", "_", "a", "b", "é", "日", "\uD83D\uDE00", "\\%", "\\_"
  };

  /**
   * For random patterns and texts, the result equals that of a regular expression over code points.
   */
  @Property(tries = 3000)
  void matchesLikeARegularExpression(@ForAll long seed) {
    Random random = new Random(seed);
    StringBuilder pattern = new StringBuilder();
    StringBuilder regex = new StringBuilder();
    for (int i = random.nextInt(6); i > 0; i--) {
      String part = PARTS[random.nextInt(PARTS.length)];
      pattern.append(part);
      regex.append(
          switch (part) {
            case "%" -> ".*";
            case "_" -> ".";
            default -> Pattern.quote(part.startsWith("\\") ? part.substring(1) : part);
          });
    }
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(7); i > 0; i--) {
      String part = PARTS[random.nextInt(PARTS.length)];
      text.append(part.startsWith("\\") ? part.substring(1) : part);
    }
    boolean expected = Pattern.compile(regex.toString(), Pattern.DOTALL).matcher(text).matches();
    assertThat(matches(pattern.toString(), text.toString()))
        .as("'%s' LIKE '%s'", text, pattern)
        .isEqualTo(expected);
  }

  private static boolean matches(String pattern, String text) {
    byte[] bytes = ("xx" + text + "x").getBytes(StandardCharsets.UTF_8);
    return LikePattern.of(pattern).matches(bytes, 2, bytes.length - 1);
  }

  @Test
  void prefixesAndExactTextsAreRecognized() {
    LikePattern prefix = LikePattern.of("ab\\%%");
    assertThat(prefix.prefix()).isEqualTo("ab%".getBytes(StandardCharsets.UTF_8));
    assertThat(prefix.isPrefix()).isTrue();
    assertThat(prefix.isExact()).isFalse();
    assertThat(LikePattern.of("abc").isExact()).isTrue();
    assertThat(LikePattern.of("a_c").isExact()).isFalse();
    assertThat(LikePattern.of("a_%").isPrefix()).isFalse();
    assertThat(LikePattern.of("a_%").prefix()).isEqualTo(new byte[] {'a'});
    assertThat(LikePattern.of("%").isPrefix()).isTrue();
  }

  @Test
  void otherEscapeCharactersAndInvalidPatterns() {
    assertThat(LikePattern.of("50!%", '!').isExact()).isTrue();
    for (String bad : new String[] {"a\\", "a\\b"}) {
      assertThatThrownBy(() -> LikePattern.of(bad)).hasMessageContaining("escape character \\");
    }
  }
}
