package dev.kudu4j.tablet.concurrency;

/**
 * Closes the off-heap structure of one run before the next is made, since nobody else does. Runs
 * follow each other.
 */
final class Disposal {
  private AutoCloseable current;

  void replace(AutoCloseable next) {
    AutoCloseable before = current;
    current = next;
    if (before != null) {
      try {
        before.close();
      } catch (Exception e) {
        throw new AssertionError("A structure could not be closed", e);
      }
    }
  }
}
