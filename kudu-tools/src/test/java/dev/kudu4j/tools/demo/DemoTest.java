package dev.kudu4j.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.embedded.EmbeddedCluster;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class DemoTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  private Screen screen() {
    return new Screen(new PrintStream(bytes, true, StandardCharsets.UTF_8), 0);
  }

  private String text() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void everyPartRunsWithCorrectResults() throws Exception {
    Checks checks;
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().tabletServers(3).start()) {
      checks = new Demo(cluster, 0.002, screen()).play();
    }
    assertThat(checks.wrong()).isEmpty();
    assertThat(checks.count()).isEqualTo(8);
    assertThat(text())
        .contains("orders", "3,000 rows", "READ_AT_SNAPSHOT", "is stopped", "is back")
        .doesNotContain("WRONG", "\r");
  }

  @Test
  void aWrongResultIsReported() {
    Checks checks = new Checks();
    assertThat(checks.verdict("COUNT(*)", 7L, 7L)).isEqualTo("right");
    assertThat(checks.verdict("COUNT(*)", 6L, 7L)).isEqualTo("WRONG");
    assertThat(checks.wrong()).containsExactly("COUNT(*) is 6 but should be 7");
  }

  @Test
  void numbersAreReadable() {
    assertThat(Texts.count(600_572)).isEqualTo("600,572");
    assertThat(Texts.time(1_500_000)).isEqualTo("1.5 ms");
    assertThat(Texts.time(380_000_000)).isEqualTo("380 ms");
    assertThat(Texts.time(2_100_000_000L)).isEqualTo("2.1 s");
    assertThat(Texts.rate(600_572, 22_345_678_901L)).isEqualTo("26,900 rows/s");
    assertThat(Texts.plain(0.1)).isEqualTo("0.1");
    assertThat(Texts.plain(1)).isEqualTo("1");
  }
}
