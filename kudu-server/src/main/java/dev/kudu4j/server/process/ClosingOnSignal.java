package dev.kudu4j.server.process;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a server when a signal ends the process. If closing takes too long, the process is halted
 * without further cleanup.
 */
public final class ClosingOnSignal {
  private static final long CLOSE_MILLIS = 20_000;

  private ClosingOnSignal() {}

  /** Registers a server to close before this process ends. */
  public static void register(AutoCloseable server) {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> closeOrHalt(server), "shutdown"));
  }

  private static void closeOrHalt(AutoCloseable server) {
    Logger log = LoggerFactory.getLogger(ClosingOnSignal.class);
    Thread closer =
        new Thread(
            () -> {
              try {
                server.close();
              } catch (Exception e) {
                log.warn("Closing failed", e);
              }
            },
            "close");
    closer.setDaemon(true);
    closer.start();
    try {
      closer.join(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (closer.isAlive()) {
      log.warn("The server did not close within {} ms; ending the process", CLOSE_MILLIS);
      Runtime.getRuntime().halt(1);
    }
  }
}
