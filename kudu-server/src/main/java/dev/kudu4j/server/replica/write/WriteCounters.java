package dev.kudu4j.server.replica.write;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the operations of one replica as leader: operations in flight, and operations that never
 * reached the log. Thread-safe.
 */
public final class WriteCounters {
  private final LongAdder writes = new LongAdder();
  private final LongAdder others = new LongAdder();
  private final LongAdder refusedForMemory = new LongAdder();
  private final LongAdder refusedAtTabletLimit = new LongAdder();
  private final LongAdder timedOut = new LongAdder();

  WriteCounters() {}

  void begun(boolean write) {
    (write ? writes : others).increment();
  }

  void ended(boolean write) {
    (write ? writes : others).decrement();
  }

  /**
   * Counts a write that was rejected because the server had no memory left for rows or for writes
   * in flight.
   */
  void refusedForMemory() {
    refusedForMemory.increment();
  }

  /** Counts a write that was rejected because the tablet itself had too many writes in flight. */
  void refusedAtTabletLimit() {
    refusedAtTabletLimit.increment();
  }

  /** Counts a write whose deadline passed while it waited to be logged. */
  void timedOutInQueue() {
    timedOut.increment();
  }

  /** Writes admitted and not answered yet. */
  public long writesUnderWay() {
    return writes.sum();
  }

  /** Changes of the schema, and other entries without rows, that are not answered yet. */
  public long othersUnderWay() {
    return others.sum();
  }

  /** Writes rejected because the server was short of memory. */
  public long refusedForMemoryCount() {
    return refusedForMemory.sum();
  }

  /** Writes rejected because the tablet had too many writes in flight. */
  public long refusedAtTabletLimitCount() {
    return refusedAtTabletLimit.sum();
  }

  /** Writes whose deadline passed before they were logged. */
  public long timedOutCount() {
    return timedOut.sum();
  }
}
