package dev.kudu4j.benchmarks.consistency;

import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.ReplicaSelection;
import dev.kudu4j.client.RowResult;
import java.time.Duration;

/**
 * Reads that may be some seconds old, at any replica. Another replica may choose an older snapshot
 * than the last one; then the last one is read again.
 */
final class FreshReads implements Reading.Session {
  private final KuduClient client;
  private final KuduTable accounts;
  private final Duration maxStaleness;
  private long last;

  FreshReads(String masters, String table, Duration maxStaleness) throws KuduException {
    this.client = new KuduClient.KuduClientBuilder(masters).build();
    this.accounts = client.openTable(table);
    this.maxStaleness = maxStaleness;
  }

  @Override
  public Sums read() throws KuduException {
    long snapshot = Math.max(last, client.chooseSnapshot(maxStaleness, accounts));
    KuduScanner scanner =
        client
            .newScannerBuilder(accounts)
            .readMode(ReadMode.READ_AT_SNAPSHOT)
            .snapshotTimestampRaw(snapshot)
            .replicaSelection(ReplicaSelection.CLOSEST_REPLICA)
            .build();
    Sums sums = Sums.NONE;
    while (scanner.hasMoreRows()) {
      for (RowResult row : scanner.nextRows()) {
        sums = sums.plus(row.getLong(1));
      }
    }
    scanner.close();
    last = snapshot;
    return sums;
  }

  @Override
  public void close() throws KuduException {
    client.close();
  }
}
