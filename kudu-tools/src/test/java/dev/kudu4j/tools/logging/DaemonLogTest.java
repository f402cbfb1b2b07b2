package dev.kudu4j.tools.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.spi.FilterReply;
import dev.kudu4j.server.logging.LogMarkers;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The log configuration of the daemons, tested with texts that an unauthenticated client may send.
 */
class DaemonLogTest {
  private final LoggerContext context = new LoggerContext();
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private PrintStream standardError;

  @BeforeEach
  void configure() throws Exception {
    standardError = System.err;
    System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    JoranConfigurator configurator = new JoranConfigurator();
    context.setMDCAdapter(new LogbackMDCAdapter());
    configurator.setContext(context);
    configurator.doConfigure(DaemonLogTest.class.getResource("/kudu4j-daemon-logback.xml"));
  }

  @AfterEach
  void restore() {
    System.setErr(standardError);
    context.stop();
  }

  private List<String> lines() {
    return written.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void aNameWithLineEndsStaysOnItsLine() {
    String name = "x\n2026-01-01 00:00:00.000 ERROR [main] Master: all data lost\r\u001b[2J\u2028";
    context.getLogger("Test").info("Table {} created", name);
    assertThat(lines()).hasSize(1);
    assertThat(lines().get(0))
        .endsWith(
            "Table x\\n2026-01-01 00:00:00.000 ERROR [main] Master: all data"
                + " lost\\r\\u001b[2J\\u2028 created");
  }

  @Test
  void messagesOfExceptionsAndTheirCausesAreEscapedToo() {
    Exception cause = new IllegalStateException("inner\nERROR forged");
    context.getLogger("Test").error("Failed", new RuntimeException("outer\nERROR forged", cause));
    assertThat(lines()).noneMatch(line -> line.startsWith("ERROR"));
    assertThat(lines()).anyMatch(line -> line.contains("outer\\nERROR forged"));
    assertThat(lines())
        .anyMatch(
            line ->
                line.equals("Caused by: java.lang.IllegalStateException: inner\\nERROR forged"));
  }

  @Test
  void longMessagesAreTruncated() {
    context.getLogger("Test").info("{}", "y".repeat(1 << 20));
    assertThat(written.size()).isLessThan(2 * LogText.MAX_CHARACTERS);
    assertThat(lines().get(0)).endsWith(" more characters)");
  }

  @Test
  void repeatedWarningsOfAnyLoggerAreLimitedAndCounted() {
    AtomicLong now = new AtomicLong();
    RepetitionFilter filter = new RepetitionFilter(now::get);
    Logger jetty = context.getLogger("org.eclipse.jetty.Server");
    int written = 0;
    for (int i = 0; i < 1000; i++) {
      if (filter.decide(event(jetty, Level.WARN, "bad request", i)) != FilterReply.DENY) {
        written++;
      }
    }
    assertThat(written).isEqualTo(RepetitionFilter.BURST);
    assertThat(filter.decide(event(jetty, Level.WARN, "another thing", 1)))
        .isEqualTo(FilterReply.NEUTRAL);
    assertThat(filter.decide(event(jetty, Level.INFO, "bad request", 1)))
        .isEqualTo(FilterReply.NEUTRAL);

    now.addAndGet(RepetitionFilter.PAUSE_MILLIS);
    LoggingEvent next = event(jetty, Level.WARN, "bad request", 1001);
    assertThat(filter.decide(next)).isEqualTo(FilterReply.NEUTRAL);
    assertThat(new EscapedMessage().convert(next))
        .isEqualTo("bad request (repetitions left out: 950)");
  }

  @Test
  void infoLinesThatClientsCauseAreLimitedAndOthersAreNot() {
    AtomicLong now = new AtomicLong();
    RepetitionFilter filter = new RepetitionFilter(now::get);
    Logger logger = context.getLogger("tables");
    int written = 0;
    for (int i = 0; i < 1000; i++) {
      LoggingEvent event = event(logger, Level.INFO, "created", i);
      event.addMarker(LogMarkers.ON_DEMAND);
      if (filter.decide(event) != FilterReply.DENY) {
        written++;
      }
      assertThat(filter.decide(event(logger, Level.INFO, "flushed", i)))
          .isEqualTo(FilterReply.NEUTRAL);
    }
    assertThat(written).isEqualTo(RepetitionFilter.ON_DEMAND_BURST);

    now.addAndGet(RepetitionFilter.ON_DEMAND_PAUSE_MILLIS);
    LoggingEvent next = event(logger, Level.INFO, "created", 1001);
    next.addMarker(LogMarkers.ON_DEMAND);
    assertThat(filter.decide(next)).isEqualTo(FilterReply.NEUTRAL);
    assertThat(new EscapedMessage().convert(next)).isEqualTo("created (repetitions left out: 900)");
  }

  private static LoggingEvent event(Logger logger, Level level, String template, Object argument) {
    return new LoggingEvent("test", logger, level, template, null, new Object[] {argument});
  }
}
