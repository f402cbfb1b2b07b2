package dev.kudu4j.tools.connection;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;

/** A pause between two polls of another process. */
public final class Pause {
  private Pause() {}

  /** Waits. Throws ABORTED if the thread is interrupted, and keeps its interrupt status. */
  public static void millis(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KuduException(StatusCode.ABORTED, "Interrupted", e);
    }
  }
}
