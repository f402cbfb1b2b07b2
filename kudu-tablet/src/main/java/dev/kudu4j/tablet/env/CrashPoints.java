package dev.kudu4j.tablet.env;

/**
 * Named points immediately before each durable step. In production they do nothing. A test can stop
 * at such a point as if the process had been killed.
 */
@FunctionalInterface
public interface CrashPoints {
  CrashPoints NONE = point -> {};

  /** Passes the named point, or throws to simulate a crash there. */
  void reach(String point);
}
