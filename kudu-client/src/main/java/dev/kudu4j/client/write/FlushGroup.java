package dev.kudu4j.client.write;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The operations that one flush sends: those applied since the flush before. They are answered in
 * any order, from several tablets; the group puts the answers back into the order of the applying.
 *
 * <p>Guarded by the lock of its {@link WriteBuffer}.
 */
final class FlushGroup<R> {
  private int count;
  private int answered;
  private boolean due;
  private Object[] answers;
  private CompletableFuture<List<R>> flushed;

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
  void setWanted(CompletableFuture<List<R>> toComplete) {
    flushed = toComplete;
  }

  /** Whether answers are kept: they may be asked for yet, or have been. */
  boolean keepsAnswers() {
    return !due || flushed != null;
  }

  /**
   * @param answer null if none is kept
   */
  void answered(int index, R answer) {
    answered++;
    if (answer != null) {
      if (answers == null || index >= answers.length) {
        int length = Math.max(count, index + 1);
        answers = answers == null ? new Object[length] : Arrays.copyOf(answers, length);
      }
      answers[index] = answer;
    }
  }

  boolean isComplete() {
    return due && answered == count;
  }

  /** Completes the future of the flush, if there is one. Called without the lock. */
  @SuppressWarnings("unchecked") // all answers are of type R
  void complete() {
    if (flushed != null) {
      flushed.complete(
          answers == null ? List.of() : (List<R>) Arrays.asList(Arrays.copyOf(answers, count)));
    }
  }
}
