package dev.kudu4j.master.tables;

/** Runs actions after a delay. Tests have an implementation with simulated time. */
@FunctionalInterface
public interface Delays {
  void after(long delayMillis, Runnable action);
}
