package dev.kudu4j.client;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The operations that one flush sends: those applied since the flush before. They are answered in
 * any order, from several tablets; the group puts the answers back into the order of the applying.
 *
 * <p>Guarded by the lock of its {@link WriteBuffer}.
 */
final class FlushGroup {
  private int count;
  private int answered;
  private boolean due;
  private OperationResponse[] responses;
  private CompletableFuture<List<OperationResponse>> flushed;

  /** Counts one more operation in, and returns its index. */
  int add() {
    return count++;
  }

  int count() {
    return count;
  }

  /** From now on the operations are to be sent as soon as their tablets can take them. */
  void setDue() {
    due = true;
  }

  boolean isDue() {
    return due;
  }

  /** Somebody waits for all answers. */
  void setWanted(CompletableFuture<List<OperationResponse>> toComplete) {
    flushed = toComplete;
  }

  /** Whether answers are kept: they may be asked for yet, or have been. */
  boolean keepsResponses() {
    return !due || flushed != null;
  }

  /**
   * @param response null when none is kept
   */
  void answered(int index, OperationResponse response) {
    answered++;
    if (response != null) {
      if (responses == null || index >= responses.length) {
        int room = Math.max(count, index + 1);
        responses =
            responses == null ? new OperationResponse[room] : Arrays.copyOf(responses, room);
      }
      responses[index] = response;
    }
  }

  boolean isComplete() {
    return due && answered == count;
  }

  /** Tells who waits, if anybody. Without the lock. */
  void complete() {
    if (flushed != null) {
      flushed.complete(
          responses == null ? List.of() : Arrays.asList(Arrays.copyOf(responses, count)));
    }
  }
}
