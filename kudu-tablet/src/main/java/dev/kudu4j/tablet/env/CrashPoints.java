package dev.kudu4j.tablet.env;

/**
 * Named places right before each durable step. In production nothing happens at them; a test may
 * stop there as if the process had been killed.
 */
@FunctionalInterface
public interface CrashPoints {
  CrashPoints NONE = point -> {};

  /** Passes the named point, or throws to simulate a crash there. */
  void reach(String point);
}
