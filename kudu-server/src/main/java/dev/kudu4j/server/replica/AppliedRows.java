package dev.kudu4j.server.replica;

import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.log.RequestResult.OutcomeCounts;
import dev.kudu4j.tablet.log.RowFailureList;
import java.util.List;

/**
 * Counts the rows that a replica has applied since it was opened, by outcome. Rows that it applies
 * while it replays its log are not counted.
 *
 * <p>Only the apply thread writes. Any thread may read, and may see the counts of an entry partly
 * added.
 */
public final class AppliedRows {
  private volatile long inserted;
  private volatile long upserted;
  private volatile long updated;
  private volatile long deleted;
  private volatile long insertErrors;
  private volatile long insertIgnoreErrors;
  private volatile long upsertIgnoreErrors;
  private volatile long updateIgnoreErrors;
  private volatile long deleteIgnoreErrors;
  private volatile long logBytes;
  private volatile long lastNanos = System.nanoTime();

  AppliedRows() {}

  /** Counts the rows of an entry. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void add(List<RequestResult> results, long bytes) {
    logBytes += bytes;
    lastNanos = System.nanoTime();
    for (RequestResult result : results) {
      OutcomeCounts counts = result.counts();
      inserted += counts.successfulInserts();
      upserted += counts.successfulUpserts();
      updated += counts.successfulUpdates();
      deleted += counts.successfulDeletes();
      insertIgnoreErrors += counts.insertIgnoreErrors();
      upsertIgnoreErrors += counts.upsertIgnoreErrors();
      updateIgnoreErrors += counts.updateIgnoreErrors();
      deleteIgnoreErrors += counts.deleteIgnoreErrors();
      if (!result.errors().isEmpty()) {
        insertErrors += RowFailureList.of(result.errors()).count(StatusCode.ALREADY_PRESENT);
      }
    }
  }

  public long inserted() {
    return inserted;
  }

  public long upserted() {
    return upserted;
  }

  public long updated() {
    return updated;
  }

  public long deleted() {
    return deleted;
  }

  /** Inserts whose key was present. */
  public long insertErrors() {
    return insertErrors;
  }

  public long insertIgnoreErrors() {
    return insertIgnoreErrors;
  }

  public long upsertIgnoreErrors() {
    return upsertIgnoreErrors;
  }

  public long updateIgnoreErrors() {
    return updateIgnoreErrors;
  }

  public long deleteIgnoreErrors() {
    return deleteIgnoreErrors;
  }

  /** {@link System#nanoTime} when the last entry was applied, or the replica was opened. */
  public long lastNanos() {
    return lastNanos;
  }

  /** Bytes of the log entries applied. */
  public long logBytes() {
    return logBytes;
  }
}
