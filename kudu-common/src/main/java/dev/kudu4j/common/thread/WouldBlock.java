package dev.kudu4j.common.thread;

/**
 * Thrown by an operation that may block, on a thread that must not block. It is an error without a
 * stack trace rather than an exception, because code that handles failures must pass it on: the
 * work has not failed, it is repeated on another thread.
 */
public final class WouldBlock extends Error {
  private static final long serialVersionUID = 1;

  private WouldBlock(String operation) {
    super(operation + " may block", null, false, false);
  }

  /**
   * Called before each operation that may block.
   *
   * @param operation names the operation in messages
   * @throws WouldBlock in work that must not block
   */
  public static void check(String operation) {
    if (isForbidden()) {
      throw new WouldBlock(operation);
    }
  }

  /** Whether the current work must not block. */
  public static boolean isForbidden() {
    return Thread.currentThread() instanceof EventLoopThread loop && loop.isNonBlocking();
  }
}
