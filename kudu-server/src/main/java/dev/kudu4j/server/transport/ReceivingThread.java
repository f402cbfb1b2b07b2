package dev.kudu4j.server.transport;

/**
 * A thread that handles what another server asks. It may finish on the spot what Ratis would hand
 * to a pool of the group's: it is there for this, and waits for nobody's lock.
 */
public final class ReceivingThread extends Thread {
  ReceivingThread(Runnable task, String name) {
    super(task, name);
    setDaemon(true);
  }

  /** Whether the caller runs on one. */
  public static boolean isCurrent() {
    return Thread.currentThread() instanceof ReceivingThread;
  }
}
