package dev.kudu4j.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.ContextInitializer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class DemoLogTest {
  @TempDir private Path directory;

  /** Restores what other tests of this JVM expect. */
  @AfterEach
  void restoreLogging() throws Exception {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    new ContextInitializer(context).autoConfig();
    LogManager.getLogManager().readConfiguration();
  }

  @Test
  void warningsGoToTheFileHoweverALibraryLogs() throws Exception {
    Path file = directory.resolve("demo.log");
    PrintStream before = System.err;
    ByteArrayOutputStream screen = new ByteArrayOutputStream();
    System.setErr(new PrintStream(screen, true, StandardCharsets.UTF_8));
    try {
      LogManager.getLogManager().readConfiguration(); // or it would write to another stream
      DemoLog.writeTo(file);
      LoggerFactory.getLogger("a.library").warn("a server has gone");
      Logger.getLogger("another.library")
          .log(Level.WARNING, "so has a stream", new IllegalStateException("closed"));
      Logger.getLogger("another.library").log(Level.INFO, "no matter");
    } finally {
      System.setErr(before);
    }

    assertThat(file)
        .content()
        .contains("a server has gone", "so has a stream", "IllegalStateException: closed")
        .doesNotContain("no matter");
    assertThat(screen.toString(StandardCharsets.UTF_8)).isEmpty();
  }
}
