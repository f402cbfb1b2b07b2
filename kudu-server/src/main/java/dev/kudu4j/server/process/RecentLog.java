package dev.kudu4j.server.process;

import java.util.List;
import org.slf4j.event.Level;

/**
 * The last lines of the process's log. A program that runs servers provides them if it knows where
 * its log goes; all servers of the process then show the same lines. Thread-safe.
 */
public interface RecentLog {
  /** For a process that keeps no lines, such as a program that embeds servers. */
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
   * @param micros since the epoch
   * @param logger the short name of the class that logged the event
   * @param message on one line
   * @param stack the stack trace of the exception and its causes; empty without one
   */
  record Line(
      long micros, Level level, String thread, String logger, String message, String stack) {}

  /** Whether lines are kept. */
  boolean isKept();

  /** The kept lines, oldest first; their number is bounded. */
  List<Line> lines();
}
