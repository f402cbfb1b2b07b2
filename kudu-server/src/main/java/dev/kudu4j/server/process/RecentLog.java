package dev.kudu4j.server.process;

import java.util.List;
import org.slf4j.event.Level;

/**
 * The last lines of the process's log. A program that runs servers provides these lines if it
 * controls the configuration of its log. All servers of the process then show the same lines.
 * Thread-safe.
 */
public interface RecentLog {
  /**
   * The log of a process that does not keep recent lines, such as a program that embeds servers.
   */
  RecentLog NONE =
      new RecentLog() {
        @Override
        public boolean isKept() {
          return false;
        }

        @Override
        public List<Line> lines() {
          return List.of();
        }
      };

  /**
   * One event of the log.
   *
   * @param micros time of the event, in microseconds since the epoch
   * @param logger the short name of the class that logged the event
   * @param message the message, on one line
   * @param stack the stack trace of the logged exception and its causes; empty if there is no
   *     exception
   */
  record Line(
      long micros, Level level, String thread, String logger, String message, String stack) {}

  /** Whether lines are kept. */
  boolean isKept();

  /** The kept lines, oldest first; their number is bounded. */
  List<Line> lines();
}
