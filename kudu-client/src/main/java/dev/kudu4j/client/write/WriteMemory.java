package dev.kudu4j.client.write;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much memory the operations of all sessions of a client may hold while they wait for their
 * answers. A session takes its part in steps, so that few operations come here.
 *
 * <p>A session without any operation may take one all the same: so each gets on by itself, however
 * much others hold. Thread-safe.
 */
public final class WriteMemory {
  /** By which a session takes and gives. */
  public static final long STEP_BYTES = 16 << 10;

  /** What the objects of an operation take besides its bytes: its own, its row, its answer. */
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
   * What operations hold.
   *
   * @param packedBytes of their rows, which the user's objects hold as well
   */
  static long bytesOf(int operations, long packedBytes) {
    return operations * OPERATION_BYTES + 2 * packedBytes;
  }

  /** Takes if there is so much left. */
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

  /** Whether those who waited may go on: some way below the limit. */
  boolean isRoomy() {
    return taken.get() <= limitBytes - limitBytes / 4;
  }

  public long takenBytes() {
    return taken.get();
  }
}
