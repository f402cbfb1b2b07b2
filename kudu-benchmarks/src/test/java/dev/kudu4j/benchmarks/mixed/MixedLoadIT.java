package dev.kudu4j.benchmarks.mixed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.benchmarks.report.Machine;
import dev.kudu4j.benchmarks.report.Report;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server stays stable under mixed load. Latencies depend on the machine and are not checked. */
class MixedLoadIT {
  @TempDir private Path directory;

  @Test
  @Tag("nightly")
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void aMinuteOfMixedLoadChangesNothing() throws Exception {
    assertStaysAsItIs(60);
  }

  @Test
  @Tag("nightly")
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void tenMinutesOfMixedLoadChangeNothing() throws Exception {
    assertStaysAsItIs(600);
  }

  private void assertStaysAsItIs(int seconds) throws Exception {
    Settings settings = new Settings(seconds, 640L << 20, 100_000, 4_000, 2_000, 100, 3);
    Path home = Path.of("..").toAbsolutePath().normalize();
    MixedReport report = new MixedRun(home, settings, directory, System.out::println).run();
    Report text = report.toReport(Machine.here());
    System.out.println(text.toText());
    text.writePage(Path.of("target", "mixed-" + seconds + ".html"));
    assertThat(report.failures(false)).isEmpty();
  }
}
