package dev.kudu4j.tserver.verify;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tserver.tablets.HostedTablet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Verifications of indexes on request. They run in sequence on a separate thread. The last one of
 * each tablet and index is remembered, so the requester can see the result. A verification that
 * nobody asks about for a minute is cancelled: its requester is gone.
 *
 * <p>Thread-safe.
 */
public final class IndexVerifications implements AutoCloseable {
  private static final int MAX_REMEMBERED = 1000;
  private static final long ABANDONED_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long CLOSE_SECONDS = 15;

  private final LongSupplier nanoTime;
  private final ExecutorService executor;
  private volatile boolean closed;

  @GuardedBy("verifications")
  private final Map<Key, TabletVerification> verifications =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, TabletVerification> eldest) {
          return size() > MAX_REMEMBERED && eldest.getValue().hasEnded();
        }
      };

  /**
   * The subject of a verification.
   *
   * @param index name of the index; empty for all indexes of the tablet
   */
  private record Key(String tabletId, String index) {}

  public IndexVerifications(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.executor =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "index-verification");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Requests the verification of an index of a tablet, or joins one that waits or runs.
   *
   * @param index name; empty for all indexes
   * @throws KuduException NOT_FOUND if the tablet has no such index
   */
  public VerificationProgress request(HostedTablet tablet, String index) {
    return request(VerifiedReplica.of(tablet), index);
  }

  VerificationProgress request(VerifiedReplica replica, String index) {
    List<IndexDefinition> indexes = replica.indexes();
    if (!index.isEmpty()) {
      indexes = indexes.stream().filter(one -> one.name().equals(index)).toList();
      if (indexes.isEmpty()) {
        throw KuduException.notFound("Tablet %s has no index %s", replica.tabletId(), index);
      }
    }
    Key key = new Key(replica.tabletId(), index);
    synchronized (verifications) {
      TabletVerification known = verifications.get(key);
      if (known == null || known.hasEnded()) {
        known = new TabletVerification(replica, indexes, nanoTime, ABANDONED_NANOS, () -> closed);
        verifications.remove(key); // so that put() adds it as the newest
        verifications.put(key, known);
        executor.execute(known);
      }
      return known.progress();
    }
  }

  /**
   * The progress of the last verification of the tablet and index.
   *
   * @param index name; empty for all indexes
   * @throws KuduException NOT_FOUND if none was requested recently
   */
  public VerificationProgress find(String tabletId, String index) {
    synchronized (verifications) {
      TabletVerification known = verifications.get(new Key(tabletId, index));
      if (known == null) {
        throw KuduException.notFound(
            "This server has no recent request to verify indexes of tablet %s; requests are lost"
                + " when the server restarts",
            tabletId);
      }
      return known.progress();
    }
  }

  /** Ends the running verification, and waits up to 15 seconds for that. */
  @Override
  public void close() {
    closed = true;
    executor.shutdown();
    try {
      executor.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
