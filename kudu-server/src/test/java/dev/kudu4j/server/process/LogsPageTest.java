package dev.kudu4j.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.server.web.Query;
import dev.kudu4j.server.web.Rendered;
import dev.kudu4j.server.web.WebPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

class LogsPageTest {
  private static final long MOMENT = 1_795_284_570_123_000L; // 2026-11-21 18:09:30.123 UTC

  private final List<RecentLog.Line> lines = new ArrayList<>();
  private final RecentLog log =
      new RecentLog() {
        @Override
        public boolean isKept() {
          return true;
        }

        @Override
        public List<Line> lines() {
          return List.copyOf(lines);
        }
      };

  private void log(Level level, String message, String stack) {
    lines.add(
        new RecentLog.Line(
            MOMENT + lines.size() * 1_000L, level, "worker-1", "TabletRegistry", message, stack));
  }

  private static String page(RecentLog log, boolean shared, Map<String, List<String>> query) {
    WebPage.Html page = (WebPage.Html) LogsPage.of(log, shared);
    return Rendered.html(page.answer().apply(new Query(query)));
  }

  private String page(Map<String, List<String>> query) {
    return page(log, false, query);
  }

  @Test
  void theNewestLineComesFirstAndIsEscaped() {
    log(Level.INFO, "Table <script>alert(1)</script> created", "");
    log(Level.ERROR, "Tablet failed", "java.io.IOException: <b>no</b>\n\tat Disk.read");
    String page = page(Map.of());
    assertThat(page)
        .contains("2026-11-21 18:09:30.124<", "&lt;script&gt;", ">error<", ">info<")
        .contains("<summary>Stack trace</summary>", "java.io.IOException: &lt;b&gt;no")
        .contains("since <time", "2026-11-21 18:09:30 UTC")
        .doesNotContain("<script", "<b>no", "All servers of this process");
    assertThat(page.indexOf("Tablet failed")).isLessThan(page.indexOf("Table &lt;"));
  }

  @Test
  void linesAreSelectedByLevelAndText() {
    log(Level.INFO, "Tablet 17 opened", "");
    log(Level.WARN, "Tablet 17 is slow", "");
    log(Level.ERROR, "Disk is full", "Caused by: tablet 17");
    assertThat(page(Map.of("level", List.of("warn"))))
        .contains("Tablet 17 is slow", "Disk is full", "<option value=\"WARN\" selected>")
        .doesNotContain("Tablet 17 opened");
    assertThat(page(Map.of("contains", List.of("TABLET 17"), "level", List.of("ERROR"))))
        .contains("Disk is full", "value=\"TABLET 17\"")
        .doesNotContain("Tablet 17 is slow");
    assertThat(page(Map.of("contains", List.of("nothing")))).contains("No kept line matches.");
  }

  @Test
  void anUnknownLevelIsReported() {
    assertThatThrownBy(() -> page(Map.of("level", List.of("loud"))))
        .isInstanceOfSatisfying(
            KuduException.class,
            e -> {
              assertThat(e.code()).isEqualTo(StatusCode.INVALID_ARGUMENT);
              assertThat(e).hasMessageContaining("'loud'").hasMessageContaining("ERROR");
            });
  }

  @Test
  void olderLinesAreOnFurtherPagesWithTheSameFilter() {
    for (int i = 1; i <= 450; i++) {
      log(i % 2 == 0 ? Level.WARN : Level.INFO, "line " + i + ".", "");
    }
    assertThat(page(Map.of("level", List.of("WARN"))))
        .contains(">line 450.<", ">line 52.<", "href=\"/logs?level=WARN&amp;page=2\"", "Older →")
        .doesNotContain(">line 50.<", ">line 449.<");
    assertThat(page(Map.of("page", List.of("3")))).contains(">line 1.<", "← Newer");
  }

  @Test
  void anEmptyLogPageHasAnExplanation() {
    assertThat(page(RecentLog.NONE, true, Map.of())).contains("keeps no lines of its log");
    assertThat(page(log, true, Map.of()))
        .contains("Nothing has been logged yet.", "All servers of this process write to it.");
  }
}
