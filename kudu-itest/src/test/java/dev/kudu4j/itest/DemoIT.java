package dev.kudu4j.itest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.itest.support.KuduCommand;
import dev.kudu4j.itest.support.KuduCommand.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kudu.client.KuduClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kudu demo}, without a terminal. */
class DemoIT {
  private static final Pattern MASTER = Pattern.compile("Master +([0-9.:]+)");
  private static final Pattern FILES = Pattern.compile("files in (\\S+)");

  @TempDir private Path directory;

  @Test
  void theDemoPrintsCorrectResults() throws Exception {
    Result demo = KuduCommand.run(directory, "demo", "--scale=0.002");
    assertThat(demo.exitCode()).as(demo.output()).isZero();
    assertThat(demo.output())
        .contains(
            "rows/s", "READ_AT_SNAPSHOT", "is stopped", "All 8 results are correct", "Next steps")
        .doesNotContain("\r", "\u001b", "WARN", "Exception");
    assertThat(Path.of(find(FILES, demo.output()))).doesNotExist();
  }

  @Test
  void aKeptClusterServesUntilASignal() throws Exception {
    Path output = directory.resolve("out");
    Process demo = KuduCommand.start(directory, output, "demo", "--scale=0.001", "--keep");
    try {
      await("the demo has ended and printed the next steps")
          .atMost(Duration.ofMinutes(3))
          .until(
              () -> {
                String text = KuduCommand.text(output);
                return !demo.isAlive()
                    || (text.contains("The cluster runs until Ctrl-C")
                        && text.contains("bin/kudu table"));
              });
      String text = KuduCommand.text(output);
      try (KuduClient client = new KuduClient.KuduClientBuilder(find(MASTER, text)).build()) {
        assertThat(client.getTablesList().getTablesList()).contains("orders", "lineitem");
      }
      demo.destroy();
      assertThat(demo.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(Files.exists(Path.of(find(FILES, text)))).isFalse();
    } finally {
      demo.destroyForcibly();
    }
  }

  @Test
  void anInvalidScaleIsRejected() throws Exception {
    Result demo = KuduCommand.run(directory, "demo", "--scale=1000");
    assertThat(demo.exitCode()).isEqualTo(2);
    assertThat(demo.output()).contains("--scale must be from 0.001 to 10");
  }

  private static String find(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    assertThat(matcher.find()).as(text).isTrue();
    return matcher.group(1);
  }
}
