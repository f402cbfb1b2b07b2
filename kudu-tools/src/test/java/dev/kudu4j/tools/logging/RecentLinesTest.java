package dev.kudu4j.tools.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import dev.kudu4j.server.process.RecentLog.Line;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RecentLinesTest {
  private final LoggerContext context = new LoggerContext();
  private final Logger log = context.getLogger("dev.kudu4j.tserver.TabletRegistry");
  private RecentLines recent;

  @BeforeEach
  void attach() {
    context.setMDCAdapter(new LogbackMDCAdapter());
    context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.INFO);
    recent = RecentLines.attachTo(context);
  }

  @AfterEach
  void stop() {
    context.stop();
  }

  @Test
  void linesAreThoseOfTheLogInOrder() {
    log.debug("not logged");
    log.info("Tablet {} opened", 17);
    log.error("Failed\nERROR forged", new IllegalStateException("bad\nworse"));
    assertThat(recent.lines())
        .extracting(Line::level, Line::logger, Line::message)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(
                org.slf4j.event.Level.INFO, "TabletRegistry", "Tablet 17 opened"),
            org.assertj.core.groups.Tuple.tuple(
                org.slf4j.event.Level.ERROR, "TabletRegistry", "Failed\\nERROR forged"));
    assertThat(recent.lines().get(0).stack()).isEmpty();
    assertThat(recent.lines().get(1).stack())
        .startsWith("java.lang.IllegalStateException: bad\\nworse")
        .contains("at " + RecentLinesTest.class.getName());
  }

  @Test
  void theOldestLinesAreDropped() {
    int lines = 4 * RecentLines.MAX_CHARACTERS / 1_000;
    for (int i = 0; i < lines; i++) {
      log.info("{} {}", i, "y".repeat(1_000));
    }
    assertThat(recent.lines())
        .hasSizeBetween(RecentLines.MAX_CHARACTERS / 1_250, RecentLines.MAX_CHARACTERS / 1_000);
    assertThat(recent.lines().get(recent.lines().size() - 1).message())
        .startsWith((lines - 1) + " y");
  }

  @Test
  void aFloodOfOneWarningLeavesRoomForOtherLines() {
    log.info("before the flood");
    for (int i = 0; i < 20_000; i++) {
      log.warn("bad request {}", "y".repeat(100));
    }
    assertThat(recent.lines()).hasSizeLessThan(1_000);
    assertThat(recent.lines().get(0).message()).isEqualTo("before the flood");
  }

  @Test
  void suppressedLinesAreCountedOnceForTwoAppenders() {
    RecentLines second = RecentLines.attachTo(context);
    for (int i = 0; i < 20_000; i++) {
      log.warn("bad request");
    }
    assertThat(second.lines())
        .extracting(Line::message)
        .allSatisfy(
            message ->
                assertThat(message.split(RepetitionFilter.LEFT_OUT, -1))
                    .hasSizeLessThanOrEqualTo(2));
  }
}
