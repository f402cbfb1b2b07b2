package dev.kudu4j.tools.connection;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;

/** Between two looks at another process, which can only be asked again. */
public final class Pause {
  private Pause() {}

  /** Fails with ABORTED when the thread is interrupted, which it stays. */
  public static void millis(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KuduException(StatusCode.ABORTED, "Interrupted", e);
    }
  }
}
