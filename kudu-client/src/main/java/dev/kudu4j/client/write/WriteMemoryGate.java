package dev.kudu4j.client.write;

import dev.kudu4j.client.write.SessionSettings.FlushPolicy;

/**
 * What the operations of one session hold, and whether it may take more: of what the user has set
 * for it, and of the memory that all sessions of the client share. Guarded by the lock of the
 * {@link WriteBuffer}.
 */
final class WriteMemoryGate {
  private final WriteMemory memory;
  private final SessionSettings settings;
  private int pending;
  private long countedBytes; // of the operations, if their bytes are limited
  private long packedBytes; // of the rows here
  private long takenBytes; // of the memory that all sessions share

  WriteMemoryGate(WriteMemory memory, SessionSettings settings) {
    this.memory = memory;
    this.settings = settings;
  }

  /**
   * The session has one more operation.
   *
   * @return the bytes that it counts for; 0 if bytes are not limited
   */
  int begin(PendingWrite<?> operation) {
    pending++;
    int bytes = settings.maxBytes >= 0 ? operation.countBytes() : 0;
    countedBytes += bytes;
    return bytes;
  }

  /** An operation has its answer. */
  void end(PendingWrite<?> operation) {
    if (settings.maxBytes >= 0) {
      countedBytes -= operation.countedBytes();
    }
    pending--;
  }

  /** Rows take so much more, or less. */
  void addPacked(long bytes) {
    packedBytes += bytes;
  }

  int pending() {
    return pending;
  }

  boolean isEmpty() {
    return pending == 0;
  }

  /** In the background, a group may gather while another one is on its way. */
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

  /** Some way below full, so that who waits is not woken for every batch. */
  boolean isRoomy() {
    boolean ownIsRoomy =
        settings.policy != FlushPolicy.BACKGROUND
            || (pending <= settings.maxOperations + settings.maxOperations / 2
                && (settings.maxBytes < 0
                    || countedBytes <= settings.maxBytes + settings.maxBytes / 2));
    return pending == 0 || (ownIsRoomy && memory.isRoomy());
  }

  /** Gives back memory that is not needed any more. */
  void giveBack() {
    long spare = pending == 0 ? takenBytes : takenBytes - heldBytes() - WriteMemory.STEP_BYTES;
    if (spare >= WriteMemory.STEP_BYTES || (spare > 0 && pending == 0)) {
      takenBytes -= spare;
      memory.give(spare);
    }
  }
}
