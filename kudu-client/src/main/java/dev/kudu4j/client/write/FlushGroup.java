package dev.kudu4j.client.write;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The operations that one flush sends: those applied since the previous flush. Several tablets
 * answer them, in any order; the group restores the order in which they were applied.
 *
 * <p>Guarded by the lock of its {@link WriteBuffer}.
 */
final class FlushGroup<R> {
  private int count;
  private int answered;
  private boolean due;
  private Object[] answers;
  private CompletableFuture<List<R>> flushed;

  /** Adds an operation and returns its index. */
  int add() {
    return count++;
  }

  int count() {
    return count;
  }

  /** Marks the operations as due: they are sent as soon as their tablets can take them. */
  void setDue() {
    due = true;
  }

  boolean isDue() {
    return due;
  }

  /** Sets the future that completes with all responses; null if nobody waits for them. */
  void setWanted(CompletableFuture<List<R>> toComplete) {
    flushed = toComplete;
  }

  /** Whether responses are kept, because a flush has requested them or may still do so. */
  boolean keepsAnswers() {
    return !due || flushed != null;
  }

  /**
   * @param answer null if answers are not kept
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
  @SuppressWarnings("unchecked") // all responses are of type R
  void complete() {
    if (flushed != null) {
      flushed.complete(
          answers == null ? List.of() : (List<R>) Arrays.asList(Arrays.copyOf(answers, count)));
    }
  }
}
