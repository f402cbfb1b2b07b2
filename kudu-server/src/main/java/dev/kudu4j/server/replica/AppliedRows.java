package dev.kudu4j.server.replica;

import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.log.RequestResult.OutcomeCounts;
import dev.kudu4j.tablet.log.RowFailureList;
import java.util.List;

/**
 * What a replica has applied since it was opened here, by outcome. What it only replays, since a
 * restart forgot it, was counted when it was new.
 *
 * <p>One writer, the thread that applies; any number of readers, who may see an entry in part.
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

  /** Counts an entry: once for all its rows. */
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

  /** Inserts whose key was there. */
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

  /** When the last entry was applied, or the replica was opened, by {@link System#nanoTime}. */
  public long lastNanos() {
    return lastNanos;
  }

  /** Of the entries in the log. */
  public long logBytes() {
    return logBytes;
  }
}
