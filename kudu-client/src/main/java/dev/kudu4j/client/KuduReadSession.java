package dev.kudu4j.client;

import java.time.Duration;

/**
 * Reads that never go back: each snapshot of a session is at least as new as the one before, on any
 * replica, and not older than the session's freshness when it is chosen. All tables that are read
 * between two calls of {@link #advance} are read at one snapshot, so they agree with each other: of
 * each transaction and each batch of a {@link KuduProducer}, all rows are there or none.
 *
 * <pre>{@code
 * KuduReadSession session = client.newReadSession(Duration.ofSeconds(5));
 * session.advance(orders, customers);
 * KuduScanner first = session.newScannerBuilder(orders).build();
 * KuduScanner second = session.newScannerBuilder(customers).build();
 * }</pre>
 *
 * <p>The snapshot is a hybrid time. Another process goes on from it with {@link
 * KuduClient#newReadSession(Duration, long)}. Only servers of Kudu4j choose snapshots. Not
 * thread-safe.
 */
public final class KuduReadSession {
  private final KuduClient client;
  private final Duration maxStaleness;
  private long snapshot;

  KuduReadSession(KuduClient client, Duration maxStaleness, long notBefore) {
    if (maxStaleness.isNegative()) {
      throw new IllegalArgumentException("The freshness must not be negative: " + maxStaleness);
    }
    this.client = client;
    this.maxStaleness = maxStaleness;
    this.snapshot = notBefore;
  }

  /**
   * Chooses a snapshot for the next scans: the cheapest to read of these tables that is not older
   * than the session's freshness, or the present snapshot if that is newer.
   *
   * @return the snapshot
   * @throws KuduException NOT_SUPPORTED if a server is none of Kudu4j
   */
  public long advance(KuduTable... tables) throws KuduException {
    snapshot = Math.max(snapshot, client.chooseSnapshot(maxStaleness, tables));
    return snapshot;
  }

  /**
   * Makes the next scans see what happened up to a timestamp: the session's own writes, for
   * example, with {@link KuduClient#getLastPropagatedTimestamp}.
   */
  public void observe(long timestamp) {
    snapshot = Math.max(snapshot, timestamp + 1); // a snapshot is what was before it
  }

  /** The snapshot of the next scans, a hybrid time; {@link #advance} chooses the first one. */
  public long snapshot() {
    return snapshot;
  }

  /**
   * A scanner at the present snapshot.
   *
   * @throws IllegalStateException if no snapshot was chosen
   */
  public KuduScanner.KuduScannerBuilder newScannerBuilder(KuduTable table) {
    return client
        .newScannerBuilder(table)
        .readMode(AsyncKuduScanner.ReadMode.READ_AT_SNAPSHOT)
        .snapshotTimestampRaw(chosen());
  }

  /**
   * Tokens of a scan at the present snapshot, for other processes.
   *
   * @throws IllegalStateException if no snapshot was chosen
   */
  public KuduScanToken.KuduScanTokenBuilder newScanTokenBuilder(KuduTable table) {
    return client
        .newScanTokenBuilder(table)
        .readMode(AsyncKuduScanner.ReadMode.READ_AT_SNAPSHOT)
        .snapshotTimestampRaw(chosen());
  }

  /**
   * An aggregate at the present snapshot.
   *
   * @throws IllegalStateException if no snapshot was chosen
   */
  public KuduAggregateBuilder aggregate(KuduTable table) {
    return table
        .aggregate()
        .readMode(AsyncKuduScanner.ReadMode.READ_AT_SNAPSHOT)
        .snapshotTimestampRaw(chosen());
  }

  private long chosen() {
    if (snapshot == 0) {
      throw new IllegalStateException("No snapshot was chosen; call advance(tables) first");
    }
    return snapshot;
  }
}
