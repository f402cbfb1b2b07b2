package dev.kudu4j.server.transport;

/**
 * A thread that handles requests of other servers. It may itself run tasks that Ratis submits to
 * the group's pool while it handles a request, because it may block and holds no lock.
 */
public final class ReceivingThread extends Thread {
  ReceivingThread(Runnable task, String name) {
    super(task, name);
    setDaemon(true);
  }

  /** Whether the current thread is a {@code ReceivingThread}. */
  public static boolean isCurrent() {
    return Thread.currentThread() instanceof ReceivingThread;
  }
}
