package dev.kudu4j.spark.procedure;

/**
 * The pause between two requests for the progress of work that servers do. It grows by half each
 * time, from 200 ms to a limit.
 */
final class PollPause {
  private static final long FIRST_MILLIS = 200;

  private final String work;
  private final long longestMillis;
  private long millis = FIRST_MILLIS;

  /**
   * @param work the work of the servers, for the error of an interrupt
   */
  PollPause(String work, long longestMillis) {
    this.work = work;
    this.longestMillis = longestMillis;
  }

  /**
   * Waits.
   *
   * @throws IllegalStateException if Spark interrupts the statement
   */
  void await() {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(
          "The wait for " + work + " was interrupted; servers go on", e);
    }
    millis = Math.min(longestMillis, millis + millis / 2);
  }
}
