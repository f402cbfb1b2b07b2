package dev.kudu4j.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
  private final Report report =
      new Report("Trial", Machine.here(), Map.of("text", "<b>&"))
          .table(new Table("Rows", 1, List.of("figure", "value")).row("load <1>", "2"))
          .note("A note.")
          .chart(
              new Chart(Chart.Kind.BAR, "Load", "rows/s", "", List.of("a", "</script>"))
                  .add("ours", 1.5, Double.NaN))
          .data("rounds", List.of(1, 2));

  @Test
  void markdownHasTablesAndNotes() {
    assertThat(report.toMarkdown())
        .isEqualTo(
            """
            **Rows**

            | figure | value |
            | --- | ---: |
            | load <1> | 2 |

            A note.
            """);
  }

  @Test
  void jsonHasMachineSettingsAndData() {
    JsonNode json = report.toJson();
    assertThat(json.at("/machine/processors").asInt()).isPositive();
    assertThat(json.at("/settings/text").asText()).isEqualTo("<b>&");
    assertThat(json.at("/rounds/1").asInt()).isEqualTo(2);
  }

  @Test
  void pageNeedsNoNetworkAndEscapesTexts(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("page.html");
    report.writePage(file);
    String page = Files.readString(file);
    assertThat(page)
        .contains("<td class=\"text\">load &lt;1&gt;</td><td class=\"number\">2</td>")
        .contains("{text=&lt;b&gt;&amp;}")
        .contains("new Chart('chart0', {\"type\":\"bar\"")
        .contains("\"data\":[1.5,null]")
        .contains("\\u003c/script>")
        .doesNotContain("src=")
        .contains("Chart.js v4");
    assertThat(page.split("</script>", -1)).as("scripts").hasSize(3);
  }

  @Test
  void rowsAndSeriesHaveAValueForEachColumn() {
    assertThatThrownBy(() -> new Table("", 1, List.of("a", "b")).row("a"))
        .hasMessageContaining("1 cells in a table of 2 columns");
    assertThatThrownBy(
            () -> new Chart(Chart.Kind.LINE, "", "", "", List.of("1", "2")).add("ours", 1))
        .hasMessageContaining("1 values for 2 labels");
  }

  @Test
  void numbersKeepThreeDigits() {
    assertThat(Table.number(1_234_567.8)).isEqualTo("1,234,568");
    assertThat(Table.number(12.345)).isEqualTo("12.3");
    assertThat(Table.number(1.2345)).isEqualTo("1.23");
    assertThat(Table.number(0.07649)).isEqualTo("0.076");
    assertThat(Table.number(Double.NaN)).isEqualTo("-");
  }
}
