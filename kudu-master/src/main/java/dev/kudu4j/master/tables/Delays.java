package dev.kudu4j.master.tables;

/** Runs things later. Tests have their own, whose time passes when they say so. */
@FunctionalInterface
public interface Delays {
  void after(long delayMillis, Runnable action);
}
