package dev.kudu4j.tools.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;

/**
 * Drops errors with stack traces that the Raft library logs in normal operation, when a leader's
 * message arrives at a member that is starting, is being closed, or has failed. The leader sends
 * the message again, and Kudu4j's own log lines report start, end and failure of a member.
 */
public final class ExpectedRaftErrors extends Filter<ILoggingEvent> {
  private static final String LOGGER = "org.apache.ratis.server.RaftServer$Division";
  private static final String MESSAGE = ": Failed appendEntries* ";

  @Override
  public FilterReply decide(ILoggingEvent event) {
    return event.getLoggerName().equals(LOGGER) && event.getFormattedMessage().contains(MESSAGE)
        ? FilterReply.DENY
        : FilterReply.NEUTRAL;
  }
}
