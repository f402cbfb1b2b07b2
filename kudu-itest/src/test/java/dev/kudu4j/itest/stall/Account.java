package dev.kudu4j.itest.stall;

import dev.kudu4j.client.RowError;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Counts the outcomes of operations. Thread-safe. */
final class Account {
  private final String[] wordsOfErrors;
  private final AtomicInteger applied = new AtomicInteger();
  private final AtomicInteger written = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();
  private final AtomicInteger waits = new AtomicInteger();
  private final AtomicLong shortestNanos = new AtomicLong(Long.MAX_VALUE);
  private final AtomicLong longestNanos = new AtomicLong();
  private final AtomicReference<String> example = new AtomicReference<>();
  private final AtomicReference<String> wrong = new AtomicReference<>();

  /**
   * @param wordsOfErrors words that every error must contain
   */
  Account(String... wordsOfErrors) {
    this.wordsOfErrors = wordsOfErrors;
  }

  void applied() {
    applied.incrementAndGet();
  }

  void waited() {
    waits.incrementAndGet();
  }

  void written() {
    written.incrementAndGet();
  }

  void failed(RowError error) {
    failed.incrementAndGet();
    String message = error.getErrorStatus().toString();
    example.compareAndSet(null, message);
    if (!error.getErrorStatus().isTimedOut()) {
      wrong.compareAndSet(null, message);
    }
    for (String word : wordsOfErrors) {
      if (!message.contains(word)) {
        wrong.compareAndSet(null, "Without \"" + word + "\": " + message);
      }
    }
  }

  void took(long nanos) {
    shortestNanos.accumulateAndGet(nanos, Math::min);
    longestNanos.accumulateAndGet(nanos, Math::max);
  }

  int failedCount() {
    return failed.get();
  }

  String example() {
    return example.get();
  }

  long shortestMillis() {
    return shortestNanos.get() / 1_000_000;
  }

  /**
   * Asserts that every operation has its answer or its error, and that every error is as expected.
   */
  void check(int operations) {
    if (wrong.get() != null) {
      throw new AssertionError(wrong.get());
    }
    if (applied.get() != operations || written.get() + failed.get() != operations) {
      throw new AssertionError("Of " + operations + " operations: " + this);
    }
  }

  @Override
  public String toString() {
    return String.format(
        "%d applied, %d written, %d failed; %d times there was no room; %s",
        applied.get(),
        written.get(),
        failed.get(),
        waits.get(),
        longestNanos.get() == 0
            ? "no single one was timed"
            : String.format(
                "single ones took %d to %d ms", shortestMillis(), longestNanos.get() / 1_000_000));
  }
}
