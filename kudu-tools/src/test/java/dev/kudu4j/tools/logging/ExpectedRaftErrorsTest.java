package dev.kudu4j.tools.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.spi.FilterReply;
import org.junit.jupiter.api.Test;

class ExpectedRaftErrorsTest {
  private static final String DIVISION = "org.apache.ratis.server.RaftServer$Division";

  private static FilterReply decide(String logger, String message) {
    LoggingEvent event = new LoggingEvent();
    event.setLoggerContext(new LoggerContext());
    event.setLoggerName(logger);
    event.setLevel(Level.ERROR);
    event.setMessage(message);
    return new ExpectedRaftErrors().decide(event);
  }

  @Test
  void errorsOfTemporarilyRejectedAppendsAreDropped() {
    assertThat(decide(DIVISION, "p@group-1: Failed appendEntries* q->p#2-t2,HEARTBEAT"))
        .isEqualTo(FilterReply.DENY);
  }

  @Test
  void allOtherErrorsAreWritten() {
    assertThat(decide(DIVISION, "p@group-1: Failed to initialize")).isEqualTo(FilterReply.NEUTRAL);
    assertThat(decide("dev.kudu4j.server.X", "p@group-1: Failed appendEntries* q->p#2-t2"))
        .isEqualTo(FilterReply.NEUTRAL);
  }
}
