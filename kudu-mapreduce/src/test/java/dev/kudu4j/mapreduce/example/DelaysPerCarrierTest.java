package dev.kudu4j.mapreduce.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DelaysPerCarrierTest {
  @Test
  void theDocumentationShowsTheExampleJob() throws Exception {
    String job =
        Files.readString(
            Path.of("src/test/java/dev/kudu4j/mapreduce/example/DelaysPerCarrier.java"));
    assertThat(Files.readString(Path.of("../docs/mapreduce.md")))
        .contains("```java\n" + job + "```\n");
  }
}
