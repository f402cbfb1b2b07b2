package dev.kudu4j.master.tables;

/** Runs actions later. Tests have their own, with simulated time. */
@FunctionalInterface
public interface Delays {
  void after(long delayMillis, Runnable action);
}
