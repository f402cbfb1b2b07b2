package dev.kudu4j.client.write;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the memory of all sessions' operations that wait for responses. A session takes memory in
 * steps, so that few operations access this shared object.
 *
 * <p>A session without operations may always accept one, so each session makes progress however
 * much memory other sessions hold. Thread-safe.
 */
public final class WriteMemory {
  /** The step by which a session takes and returns memory. */
  public static final long STEP_BYTES = 16 << 10;

  /**
   * Bytes of an operation's objects besides its packed row: the operation, its row, its response.
   */
  private static final long OPERATION_BYTES = 400;

  private static final int SHARE_OF_HEAP = 4;

  private final long limitBytes;
  private final AtomicLong taken = new AtomicLong();

  public WriteMemory(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** A quarter of the heap. */
  public static WriteMemory ofThisJvm() {
    return new WriteMemory(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
  }

  /**
   * The bytes that operations hold.
   *
   * @param packedBytes bytes of the packed rows; the user's objects hold about the same number of
   *     bytes
   */
  static long bytesOf(int operations, long packedBytes) {
    return operations * OPERATION_BYTES + 2 * packedBytes;
  }

  /** Takes the bytes if the limit allows it. */
  boolean tryTake(long bytes) {
    if (taken.addAndGet(bytes) <= limitBytes) {
      return true;
    }
    taken.addAndGet(-bytes);
    return false;
  }

  void give(long bytes) {
    taken.addAndGet(-bytes);
  }

  /** Whether waiting callers may continue, because usage is well below the limit. */
  boolean isRoomy() {
    return taken.get() <= limitBytes - limitBytes / 4;
  }

  public long takenBytes() {
    return taken.get();
  }
}
