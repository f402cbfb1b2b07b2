package dev.kudu4j.client.write;

import dev.kudu4j.client.write.SessionSettings.FlushPolicy;

/**
 * Tracks the memory of one session's operations, and admits more operations within two limits: what
 * the user has set for the session, and the memory that all sessions of the client share. Guarded
 * by the lock of the {@link WriteBuffer}.
 */
final class WriteMemoryGate {
  private final WriteMemory memory;
  private final SessionSettings settings;
  private int pending;
  private long countedBytes; // sum over pending operations; 0 without a byte limit
  private long packedBytes; // of the rows in the buffer
  private long takenBytes; // reserved in WriteMemory for this session

  WriteMemoryGate(WriteMemory memory, SessionSettings settings) {
    this.memory = memory;
    this.settings = settings;
  }

  /**
   * Adds an operation to the counts.
   *
   * @return the bytes that it counts for; 0 if the session has no limit of bytes
   */
  int begin(PendingWrite<?> operation) {
    pending++;
    int bytes = settings.maxBytes >= 0 ? operation.countBytes() : 0;
    countedBytes += bytes;
    return bytes;
  }

  /** Removes an answered operation from the counts. */
  void end(PendingWrite<?> operation) {
    if (settings.maxBytes >= 0) {
      countedBytes -= operation.countedBytes();
    }
    pending--;
  }

  /** Adds to the packed size of the rows; negative to subtract. */
  void addPacked(long bytes) {
    packedBytes += bytes;
  }

  int pending() {
    return pending;
  }

  boolean isEmpty() {
    return pending == 0;
  }

  /**
   * Whether no more operations are admitted. With BACKGROUND a session may hold twice its buffer
   * space: one group may fill while another one is in flight.
   */
  boolean isFull() {
    boolean ownIsFull =
        settings.policy == FlushPolicy.BACKGROUND
            && (pending >= 2L * settings.maxOperations
                || (settings.maxBytes >= 0 && countedBytes >= 2 * settings.maxBytes));
    return pending > 0 && (ownIsFull || isMemoryFull());
  }

  private boolean isMemoryFull() {
    long needed = heldBytes() - takenBytes;
    if (needed <= 0) {
      return false;
    }
    long step = Math.max(needed, WriteMemory.STEP_BYTES);
    if (!memory.tryTake(step)) {
      return true;
    }
    takenBytes += step;
    return false;
  }

  private long heldBytes() {
    return WriteMemory.bytesOf(pending, packedBytes);
  }

  /**
   * Whether waiting callers may continue. Usage must be well below the limits, so that a caller is
   * not woken for every batch.
   */
  boolean isRoomy() {
    boolean ownIsRoomy =
        settings.policy != FlushPolicy.BACKGROUND
            || (pending <= settings.maxOperations + settings.maxOperations / 2
                && (settings.maxBytes < 0
                    || countedBytes <= settings.maxBytes + settings.maxBytes / 2));
    return pending == 0 || (ownIsRoomy && memory.isRoomy());
  }

  /** Returns memory that is no longer needed. */
  void giveBack() {
    long spare = pending == 0 ? takenBytes : takenBytes - heldBytes() - WriteMemory.STEP_BYTES;
    if (spare >= WriteMemory.STEP_BYTES || (spare > 0 && pending == 0)) {
      takenBytes -= spare;
      memory.give(spare);
    }
  }
}
