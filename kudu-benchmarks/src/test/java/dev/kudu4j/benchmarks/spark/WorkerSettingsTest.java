package dev.kudu4j.benchmarks.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkerSettingsTest {
  @Test
  void settingsOfTheWorkerSurviveTheCommandLine() {
    WorkerSettings settings =
        new WorkerSettings(
            "127.0.0.1:7051",
            Path.of("/tmp/a b"),
            0.01,
            4,
            "local[2]",
            Map.of("spark.sql.shuffle.partitions", "4", "spark.x", "a=b"));
    assertThat(WorkerSettings.parse(settings.toArguments().toArray(String[]::new)))
        .isEqualTo(settings);
  }
}
