package dev.kudu4j.itest.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.common.DocumentedSession;
import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.itest.support.KuduCommand;
import dev.kudu4j.itest.support.KuduCommand.Result;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The session of docs/indexes.md, typed into a shell word for word. It prints what the document
 * shows, but for times.
 */
class IndexSessionIT {
  private static final Path SOURCES = Path.of("..").toAbsolutePath().normalize();
  private static final Path DOCUMENT = SOURCES.resolve("docs/indexes.md");
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Pattern TIME = Pattern.compile("[0-9][0-9,.]* (ms|s|rows/s)\\b");

  /** A line of the document that stands for any number of lines. */
  private static final String OMITTED = "...";

  @Test
  void theSessionOfTheDocumentPrintsWhatItShows() throws Exception {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().tabletServers(1).start()) {
      Map<String, String> environment = Map.of("KUDU_MASTERS", cluster.masterAddresses());
      int shown = 0;
      for (DocumentedSession.Step step :
          DocumentedSession.of(DOCUMENT, "A session", "shell").steps()) {
        verify(step, environment);
        shown += step.answers().size();
      }
      assertThat(shown).isGreaterThan(10);
    }
  }

  /** Reads again until servers have built or dropped an index, which they do in the background. */
  private static void verify(DocumentedSession.Step step, Map<String, String> environment)
      throws Exception {
    if (step.input().lines().allMatch(line -> line.startsWith("bin/kudu table scan"))) {
      await(step.input())
          .atMost(PATIENCE)
          .pollDelay(Duration.ZERO)
          .untilAsserted(() -> type(step, environment));
    } else {
      type(step, environment);
    }
  }

  private static void type(DocumentedSession.Step step, Map<String, String> environment)
      throws Exception {
    List<String> shell = List.of("bash", "-e", "-o", "pipefail", "-c", step.input());
    Result result = KuduCommand.run(SOURCES, environment, shell);
    assertThat(result.exitCode()).as("%s\n%s", step.input(), result.output()).isZero();
    if (!step.answers().isEmpty()) {
      List<String> lines = result.output().lines().filter(line -> !line.isBlank()).toList();
      List<String> shown = comparable(step.answers());
      assertThat(withoutOmitted(comparable(lines), shown))
          .as("%s\n%s", step.input(), result.output())
          .isEqualTo(shown);
    }
  }

  /** Without times, and without spaces that depend on the width of numbers. */
  private static List<String> comparable(List<String> lines) {
    return lines.stream()
        .map(line -> TIME.matcher(line).replaceAll("TIME $1").replaceAll(" +|-+", " ").strip())
        .toList();
  }

  /** Replaces the lines that the document leaves out by its dots. */
  private static List<String> withoutOmitted(List<String> lines, List<String> shown) {
    List<String> result = new ArrayList<>(lines);
    for (int i = 0; i < shown.size() - 1; i++) {
      if (shown.get(i).equals(OMITTED) && i < result.size()) {
        List<String> rest = result.subList(i, result.size());
        int next = rest.indexOf(shown.get(i + 1));
        if (next >= 0) {
          rest.subList(0, next).clear();
          result.add(i, OMITTED);
        }
      }
    }
    return result;
  }
}
