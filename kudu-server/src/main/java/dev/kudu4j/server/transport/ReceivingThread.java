package dev.kudu4j.server.transport;

/**
 * A thread that handles requests of other servers. It may directly run tasks that Ratis would
 * submit to the group's pool: that is its purpose, and it holds no lock.
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
