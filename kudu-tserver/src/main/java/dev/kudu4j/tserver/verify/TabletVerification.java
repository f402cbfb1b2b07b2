package dev.kudu4j.tserver.verify;

import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tablet.check.IndexVerification;
import dev.kudu4j.tserver.verify.VerificationProgress.State;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.arrow.memory.OutOfMemoryException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The verification of indexes of one replica. Thread-safe; runs once. */
final class TabletVerification implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(TabletVerification.class);

  private final VerifiedReplica replica;
  private final List<IndexDefinition> indexes;
  private final LongSupplier nanoTime;
  private final long abandonedNanos;
  private final BooleanSupplier closed;
  private final IndexVerification verification = new IndexVerification(this::isCancelled);
  private volatile long askedAtNanos;
  private volatile long beganAtNanos;
  private volatile State state = State.WAITING;
  private volatile @Nullable VerificationProgress end; // null before it ends

  /**
   * @param abandonedNanos how long nobody asks before it is cancelled
   * @param closed whether the server stops
   */
  TabletVerification(
      VerifiedReplica replica,
      List<IndexDefinition> indexes,
      LongSupplier nanoTime,
      long abandonedNanos,
      BooleanSupplier closed) {
    this.replica = replica;
    this.indexes = List.copyOf(indexes);
    this.nanoTime = nanoTime;
    this.abandonedNanos = abandonedNanos;
    this.closed = closed;
    this.askedAtNanos = nanoTime.getAsLong();
  }

  boolean hasEnded() {
    return end != null;
  }

  /** The progress, for a requester who is still interested in it. */
  VerificationProgress progress() {
    askedAtNanos = nanoTime.getAsLong();
    VerificationProgress ended = end;
    if (ended != null) {
      return ended;
    }
    State now = state;
    return new VerificationProgress(
        now, now == State.WAITING ? 0 : millis(), verification.progress(), null);
  }

  private long millis() {
    return TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - beganAtNanos);
  }

  private boolean isCancelled() {
    return isAbandoned() || closed.getAsBoolean() || !replica.isRunning();
  }

  private boolean isAbandoned() {
    return nanoTime.getAsLong() - askedAtNanos > abandonedNanos;
  }

  @Override
  public void run() {
    beganAtNanos = nanoTime.getAsLong();
    state = State.RUNNING;
    @Nullable Throwable failure = null;
    try {
      if (isCancelled()) {
        failure = cancellation();
      } else {
        replica.verify(verification, indexes);
      }
    } catch (CancellationException e) {
      failure = cancellation();
    } catch (OutOfMemoryException e) {
      failure =
          KuduException.serviceUnavailable(
              "The memory for scans is too short to verify indexes of tablet %s: %s",
              replica.tabletId(), String.valueOf(e.getMessage()));
    } catch (IOException | RuntimeException e) {
      failure = replica.readFailed(e);
    } catch (Error e) {
      failure = e;
    }
    VerificationProgress result =
        new VerificationProgress(
            failure == null ? State.DONE : State.FAILED,
            millis(),
            verification.progress(),
            failure);
    end = result;
    log(result);
  }

  private KuduException cancellation() {
    if (isAbandoned()) {
      return new KuduException(
          StatusCode.ABORTED,
          "The verification of indexes was cancelled, because nobody asked about it any more");
    }
    return KuduException.serviceUnavailable(
        "The verification of indexes was cancelled, because tablet %s or the server stops",
        replica.tabletId());
  }

  private void log(VerificationProgress result) {
    IndexVerification.Progress found = result.found();
    if (found.differences() > 0) {
      LOG.error(
          "Tablet {}: {} entries of {} index files have {} differences from the rows, such as {};"
              + " rebuild the index",
          replica.tabletId(),
          found.entriesCompared(),
          found.filesCompared(),
          found.differences(),
          found.first().get(0));
    } else {
      LOG.info(
          "Tablet {}: {} entries of {} index files verified in {} ms: {}",
          replica.tabletId(),
          found.entriesCompared(),
          found.filesCompared(),
          result.millis(),
          result.failure() == null ? "no differences" : result.failure().getMessage());
    }
  }
}
