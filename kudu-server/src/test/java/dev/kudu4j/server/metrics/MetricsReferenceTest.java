package dev.kudu4j.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The tables of docs/metrics.md match the metrics catalog. With WRITE_METRICS_PAGE=1 in the
 * environment the test writes them.
 */
class MetricsReferenceTest {
  @Test
  void theTablesAreCurrent() throws IOException {
    Path page = Path.of("..", "docs", "metrics.md");
    String text = Files.readString(page);
    int begin = text.indexOf(MetricsReference.BEGIN) + MetricsReference.BEGIN.length();
    int end = text.indexOf(MetricsReference.END);
    String current = text.substring(0, begin) + MetricsReference.markdown() + text.substring(end);
    if (System.getenv("WRITE_METRICS_PAGE") != null) {
      Files.writeString(page, current);
    }
    assertThat(page).as("run with WRITE_METRICS_PAGE=1").content().isEqualTo(current);
  }
}
