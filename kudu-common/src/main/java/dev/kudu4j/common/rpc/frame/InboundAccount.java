package dev.kudu4j.common.rpc.frame;

import java.util.Locale;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The memory of the {@link InboundMemory} that one connection holds: the frame that is arriving,
 * and frames that were passed on and are still in use.
 *
 * <p>A {@link FrameDecoder} charges the account. The receiver of a frame must call {@link #release}
 * once, with the frame's length, when it no longer needs the frame's bytes, even if the connection
 * is closed. Thread-safe.
 */
public final class InboundAccount {
  /** The decoder that fills frames charged to the account. Called on any thread. */
  interface Holder {
    /** The requested memory is granted; the decoder may continue reading. */
    void granted();

    /** Closes the connection: its frame makes no progress while other connections wait. */
    void evicted(String reason);
  }

  private final InboundMemory memory;
  private volatile @Nullable Holder holder; // null until a decoder charges its frames

  /**
   * Written under this account's lock, read without it. Lock order: the lock of {@link #memory},
   * then this account's lock.
   */
  private volatile long held;

  // Guarded by the lock of memory, but await() writes wantedBytes and amidFrame before the account
  // is queued.
  long ticket;
  private volatile long wantedBytes;
  private volatile boolean amidFrame;

  /** Whether the arriving frame may exceed the capacity of {@link #memory}. */
  private volatile boolean overdraft;

  /**
   * Set when the frame of the overdraft is complete: the release of that frame reduces {@link
   * #held} to this value.
   */
  private volatile long repaidAtBytes;

  // Progress of the unfinished frame. beginReading() sets all fields. After that, the event loop
  // updates arrivedBytes, evictIfStalled() updates the window fields, and either may clear reading.
  private volatile boolean reading;
  private volatile int frameBytes;
  private volatile int arrivedBytes;
  private volatile long windowStartNanos;
  private volatile int windowArrivedBytes;

  InboundAccount(InboundMemory memory) {
    this.memory = memory;
  }

  public InboundMemory memory() {
    return memory;
  }

  void holder(Holder value) {
    this.holder = value;
  }

  /** Bytes held now, including the first bytes, which are not charged. */
  public long heldBytes() {
    return held;
  }

  /**
   * Releases a frame that the decoder passed on.
   *
   * @param bytes the length of the frame when it was passed on
   */
  public void release(int bytes) {
    give(InboundMemory.weight(bytes));
  }

  /**
   * Reserves memory that a request needs in addition to its frame, if available.
   *
   * @return whether it was reserved; {@link #give} releases it
   */
  public boolean hold(long bytes) {
    return tryTake(bytes);
  }

  private static long charged(long heldBytes) {
    return Math.max(0, heldBytes - InboundMemory.FREE_BYTES);
  }

  boolean isSmall() {
    return held + wantedBytes <= InboundMemory.SMALL_BYTES;
  }

  /** Reserves memory if available. */
  boolean tryTake(long bytes) {
    if (overdraft) {
      takeOverdraft(bytes);
      return true;
    }
    boolean small = held + bytes <= InboundMemory.SMALL_BYTES;
    return take(bytes, more -> memory.tryTake(more, small));
  }

  /** Reserves memory for data that already exists. */
  synchronized void take(long bytes) {
    memory.take(charged(held + bytes) - charged(held));
    held += bytes;
  }

  private synchronized void takeOverdraft(long bytes) {
    memory.takeOverdraft(charged(held + bytes) - charged(held));
    held += bytes;
  }

  private synchronized boolean take(long bytes, LongPredicate charge) {
    long more = charged(held + bytes) - charged(held);
    if (more > 0 && !charge.test(more)) {
      return false;
    }
    held += bytes;
    return true;
  }

  /** Releases memory and wakes waiting connections. */
  public void give(long bytes) {
    long less;
    synchronized (this) {
      assert held >= bytes : "releases " + bytes + " of " + held;
      less = charged(held) - charged(held - bytes);
      held -= bytes;
      memory.take(-less);
    }
    memory.released(this);
  }

  /** Whether reading should stop until other connections release memory. */
  boolean mustWait() {
    long now = held;
    return now > InboundMemory.FREE_BYTES && memory.isExceeded(now <= InboundMemory.SMALL_BYTES);
  }

  /**
   * Whether the account still holds a complete frame that exceeded the capacity. No other frame may
   * follow until that frame is released.
   */
  boolean isRepaying() {
    return memory.isOverdrawnBy(this) && !overdraft;
  }

  /**
   * Queues the account for memory; {@link Holder#granted} is called later.
   *
   * @param bytes bytes needed in addition to those held
   * @param forFrame whether a frame is unfinished
   */
  void await(long bytes, boolean forFrame) {
    wantedBytes = bytes;
    amidFrame = forFrame;
    reading = false;
    memory.enqueue(this);
  }

  /**
   * Stops waiting.
   *
   * @return whether the memory was already granted and is now held
   */
  boolean stopWaiting() {
    return !memory.dequeue(this);
  }

  boolean isAmidFrame() {
    return amidFrame;
  }

  /**
   * Whether the account waits between two frames, but now holds so little that it need not wait.
   */
  boolean needsNoWait() {
    return !amidFrame && held <= InboundMemory.FREE_BYTES;
  }

  /** Takes the wanted bytes if {@code charge} permits. Called under the lock of {@link #memory}. */
  boolean chargeWanted(LongPredicate charge) {
    return wantedBytes == 0 ? charge.test(0) : take(wantedBytes, charge);
  }

  void notifyGranted() {
    Holder decoder = holder;
    assert decoder != null : "only a decoder waits";
    decoder.granted();
  }

  /** Lets the next frame exceed the capacity. Called under the lock of {@link #memory}. */
  void beginOverdraft() {
    repaidAtBytes = -1;
    overdraft = true;
  }

  /**
   * Whether the overdraft has ended: its frame was released, or all data fits into the capacity.
   */
  boolean hasRepaid(boolean allFits) {
    return !overdraft && (allFits || held <= repaidAtBytes);
  }

  /** Records that a frame is complete and is passed on. */
  void frameComplete(int bytes) {
    if (overdraft) {
      repaidAtBytes = Math.max(InboundMemory.FREE_BYTES, held - InboundMemory.weight(bytes));
      overdraft = false;
    }
  }

  /** Records that the connection is closed and no further frame will arrive. */
  void close() {
    memory.endUnfinished(this);
    if (memory.isOverdrawnBy(this)) {
      if (overdraft) {
        repaidAtBytes = Long.MAX_VALUE;
        overdraft = false;
      }
      memory.endOverdraft(this);
    }
  }

  /** Records that a frame has begun. From now on it must make progress. */
  void beginReading(int ofFrameBytes, int alreadyArrivedBytes) {
    frameBytes = ofFrameBytes;
    arrivedBytes = alreadyArrivedBytes;
    windowArrivedBytes = alreadyArrivedBytes;
    windowStartNanos = memory.now();
    reading = true;
    memory.beginUnfinished(this);
  }

  void arrived(int bytes) {
    arrivedBytes = bytes;
  }

  void endReading() {
    reading = false;
    memory.endUnfinished(this);
  }

  /**
   * Closes the connection if its frame makes too little progress. Called by one thread at a time.
   */
  boolean evictIfStalled(long now) {
    int arrived = arrivedBytes;
    int atStart = windowArrivedBytes;
    long elapsed = now - windowStartNanos;
    boolean charged = held > InboundMemory.FREE_BYTES;
    if (!reading || !charged || elapsed < memory.patienceNanos()) {
      return false;
    }
    long basis = overdraft ? frameBytes : atStart;
    long expected = Math.max(InboundMemory.MIN_PROGRESS_BYTES, basis / 16);
    if (arrived - atStart >= Math.min(expected, frameBytes - atStart)) {
      windowArrivedBytes = arrived;
      windowStartNanos = now;
      return false;
    }
    reading = false;
    Holder decoder = holder;
    assert decoder != null : "only a decoder reads";
    decoder.evicted(
        String.format(
            Locale.ROOT,
            "a frame of %d bytes received %d bytes in %d ms, while other connections wait"
                + " for memory",
            frameBytes,
            arrived - atStart,
            elapsed / 1_000_000));
    return true;
  }
}
