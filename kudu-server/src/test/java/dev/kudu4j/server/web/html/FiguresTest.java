package dev.kudu4j.server.web.html;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FiguresTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "999, 999 B",
    "1000, 0.98 KB",
    "1024, 1.00 KB",
    "10239, 10.0 KB",
    "1048576, 1.00 MB",
    "1073741823, 1.00 GB",
    "-2048, -2.00 KB",
    "9223372036854775807, 8192 PB"
  })
  void bytesHaveThreeDigitsAndTheUnitThatFits(long bytes, String text) {
    assertThat(Figures.bytesText(bytes)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "999, 999 ns",
    "1234, 1.23 µs",
    "56789012, 56.8 ms",
    "99999999999, 100 s",
    "125000000000, 2 min 5 s",
    "11520000000000, 3 h 12 min",
    "187200000000000, 2 d 4 h"
  })
  void durationsHaveTheUnitThatFits(long nanos, String text) {
    assertThat(Figures.durationText(nanos)).isEqualTo(text);
  }

  @Test
  void theExactValueIsInTheTooltip() {
    assertThat(Figures.bytes(1_234_567).render())
        .isEqualTo("<span title=\"1,234,567 bytes\">1.18 MB</span>");
    assertThat(Figures.percent(1, 0).render()).contains("–");
    assertThat(Figures.percent(1, 3).render()).contains("33 %").contains("1 of 3");
    assertThat(Figures.moment(1_000_001).render())
        .contains("1970-01-01 00:00:01 UTC")
        .contains("datetime=\"1970-01-01T00:00:01.000001Z\"");
  }
}
