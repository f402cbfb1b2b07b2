package dev.kudu4j.tserver.verify;

import dev.kudu4j.tablet.check.IndexVerification;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a verification.
 *
 * @param millis the duration so far; 0 while it waits
 * @param found what it has found so far
 * @param failure null unless it has failed
 */
public record VerificationProgress(
    State state, long millis, IndexVerification.Progress found, @Nullable Throwable failure) {
  /** The state of a verification. */
  public enum State {
    WAITING,
    RUNNING,
    DONE,
    FAILED
  }
}
