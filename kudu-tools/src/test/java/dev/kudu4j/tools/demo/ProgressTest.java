package dev.kudu4j.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  private static void work(Progress progress) {
    try (Progress.Meter meter = progress.begin("orders", 1000, "rows")) {
      for (int i = 1; i <= 1000; i++) {
        meter.at(i);
      }
    }
  }

  private String text() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aPipeGetsWholeLines() {
    work(Progress.lines(out, Duration.ZERO));
    assertThat(text()).doesNotContain("\r", "\u001b");
    assertThat(text().lines()).contains("   orders: 500 of about 1,000 rows");
  }

  @Test
  void shortWorkPrintsNothingToAPipe() {
    work(Progress.lines(out, Duration.ofHours(1)));
    assertThat(text()).isEmpty();
  }

  @Test
  void aTerminalGetsABarThatIsErased() {
    work(Progress.bars(out, 80));
    assertThat(text()).contains("orders", "100%", "1000/1000 rows");
    String lastLine = text().substring(text().lastIndexOf('\r', text().length() - 2));
    assertThat(lastLine).isBlank();
    for (String drawn : text().split("\r")) {
      assertThat(drawn.length()).isLessThan(80);
    }
  }
}
