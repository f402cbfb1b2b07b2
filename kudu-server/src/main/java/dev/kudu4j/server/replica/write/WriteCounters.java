package dev.kudu4j.server.replica.write;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the operations of one replica as a leader: those under way, and those that never reached
 * the log. Thread-safe.
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

  /** The server had no memory left for the rows, or for what is under way. */
  void refusedForMemory() {
    refusedForMemory.increment();
  }

  /** The tablet alone had too much under way. */
  void refusedAtTabletLimit() {
    refusedAtTabletLimit.increment();
  }

  /** The deadline passed while the write waited to be logged. */
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

  /** Writes refused because the server was short of memory. */
  public long refusedForMemoryCount() {
    return refusedForMemory.sum();
  }

  /** Writes refused because the tablet had too much under way. */
  public long refusedAtTabletLimitCount() {
    return refusedAtTabletLimit.sum();
  }

  /** Writes whose deadline passed before they were logged. */
  public long timedOutCount() {
    return timedOut.sum();
  }
}
