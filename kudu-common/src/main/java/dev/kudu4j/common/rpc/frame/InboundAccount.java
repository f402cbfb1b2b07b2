package dev.kudu4j.common.rpc.frame;

import java.util.Locale;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What one connection holds of the {@link InboundMemory}: the frame that is arriving, and frames
 * that were handed on and are still needed.
 *
 * <p>A {@link FrameDecoder} charges the account. Whoever receives a frame from the decoder owes it
 * to the account, and calls {@link #release} once, with the frame's length, when the frame's bytes
 * are needed no more; the end of the connection does not change that. Thread-safe.
 */
public final class InboundAccount {
  /** The decoder that fills frames on the account. Called on any thread. */
  interface Holder {
    /** What it waited for is granted: it may read on. */
    void granted();

    /** Its frame stands still while others wait. */
    void evicted(String reason);
  }

  private final InboundMemory memory;
  private volatile @Nullable Holder holder; // null until a decoder charges its frames

  /** Changes under this account's lock, which nests in the memory's. */
  private volatile long held;

  // Under the lock of the memory, but written before the account is put in line.
  long ticket;
  private volatile long wantedBytes;
  private volatile boolean amidFrame;

  /** Whether the frame now arriving may exceed the capacity. */
  private volatile boolean overdraft;

  /** With the overdraft used up: what the account holds at most once that frame is released. */
  private volatile long repaidAtBytes;

  // Progress of the unfinished frame. The event loop writes the first three.
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

  /** Bytes held now, free ones included. */
  public long heldBytes() {
    return held;
  }

  /**
   * Gives back a frame that the decoder handed on.
   *
   * @param bytes the length that the frame had when it was handed on
   */
  public void release(int bytes) {
    give(InboundMemory.weight(bytes));
  }

  /**
   * Holds bytes that a request occupies beside its frame, if there is room.
   *
   * @return whether they are held; {@link #give} ends it
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

  /** Holds more, if there is room. */
  boolean tryTake(long bytes) {
    if (overdraft) {
      takeOverdraft(bytes);
      return true;
    }
    boolean small = held + bytes <= InboundMemory.SMALL_BYTES;
    return take(bytes, more -> memory.tryTake(more, small));
  }

  /** Holds more, which is there already. */
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

  /** Holds less, and wakes others. */
  public void give(long bytes) {
    long less;
    synchronized (this) {
      assert held >= bytes : "gives back " + bytes + " of " + held;
      less = charged(held) - charged(held - bytes);
      held -= bytes;
      memory.take(-less);
    }
    memory.released(this);
  }

  /** Whether the connection should not be read until others have given back. */
  boolean mustWait() {
    long now = held;
    return now > InboundMemory.FREE_BYTES && memory.isExceeded(now <= InboundMemory.SMALL_BYTES);
  }

  /** Whether a frame that exceeded the capacity is still held; no other may follow it. */
  boolean isRepaying() {
    return memory.isOverdrawnBy(this) && !overdraft;
  }

  /**
   * Gets in line; {@link Holder#granted} follows.
   *
   * @param bytes wanted beyond those held
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
   * @return whether it was too late: what was wanted is held now
   */
  boolean stopWaiting() {
    return !memory.dequeue(this);
  }

  boolean isAmidFrame() {
    return amidFrame;
  }

  /** Whether it only waits until all that it holds is free of charge, and that is so. */
  boolean waitsForNothing() {
    return !amidFrame && held <= InboundMemory.FREE_BYTES;
  }

  /** Called by the memory, under its lock. */
  boolean chargeWanted(LongPredicate charge) {
    return wantedBytes == 0 ? charge.test(0) : take(wantedBytes, charge);
  }

  void goOn() {
    Holder decoder = holder;
    assert decoder != null : "only a decoder waits";
    decoder.granted();
  }

  /** Called by the memory, under its lock. */
  void beginOverdraft() {
    repaidAtBytes = -1;
    overdraft = true;
  }

  /** Whether the overdraft is over: its frame was released, or all fits without it. */
  boolean hasRepaid(boolean allFits) {
    return !overdraft && (allFits || held <= repaidAtBytes);
  }

  /** A frame has arrived whole and is handed on. */
  void frameComplete(int bytes) {
    if (overdraft) {
      repaidAtBytes = Math.max(InboundMemory.FREE_BYTES, held - InboundMemory.weight(bytes));
      overdraft = false;
    }
  }

  /** The connection ends; no frame will arrive any more. */
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

  /** From now on the frame must make progress. */
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

  /** One thread at a time. */
  boolean evictIfStalled(long now) {
    int arrived = arrivedBytes;
    int atStart = windowArrivedBytes;
    long elapsed = now - windowStartNanos;
    boolean charged = held > InboundMemory.FREE_BYTES;
    if (!reading || !charged || elapsed < memory.patienceNanos()) {
      return false;
    }
    long basis = overdraft ? frameBytes : atStart;
    long expected = Math.max(InboundMemory.LEAST_PROGRESS_BYTES, basis / 16);
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
            "a frame of %d bytes gained %d in %d ms, while others wait for memory",
            frameBytes,
            arrived - atStart,
            elapsed / 1_000_000));
    return true;
  }
}
