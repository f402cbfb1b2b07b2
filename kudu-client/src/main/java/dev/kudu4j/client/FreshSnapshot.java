package dev.kudu4j.client;

import dev.kudu4j.util.HybridTimeUtil;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Chooses a snapshot of several tablets: asks a replica of each for the one that is cheapest to
 * read, and takes the oldest of the answers, which all of them can read.
 */
final class FreshSnapshot {
  private FreshSnapshot() {}

  /**
   * Returns a hybrid time; the current one if the tables have no tablets.
   *
   * @throws KuduException NOT_SUPPORTED if a server is none of Kudu4j
   */
  static long choose(AsyncKuduClient client, Duration maxStaleness, List<KuduTable> tables)
      throws KuduException {
    long oldest = oldest(client, maxStaleness, tables);
    // A slow answer may have made the others too old.
    long micros = HybridTimeUtil.HTTimestampToPhysicalAndLogical(now(client))[0];
    long limit = Math.max(0, micros - TimeUnit.MILLISECONDS.toMicros(maxStaleness.toMillis()));
    return Math.max(oldest, HybridTimeUtil.physicalAndLogicalToHTTimestamp(limit, 0));
  }

  /**
   * Like {@link #choose}, but the result may be older, if answers are slow or clocks differ: each
   * tablet can still get writes from it on.
   */
  static long oldest(AsyncKuduClient client, Duration maxStaleness, List<KuduTable> tables)
      throws KuduException {
    List<AsyncKuduScanner> asked = new ArrayList<>();
    List<CompletableFuture<RowResultIterator>> answers = new ArrayList<>();
    for (KuduTable table : tables) {
      KuduScanToken.KuduScanTokenBuilder pieces =
          new KuduScanToken.KuduScanTokenBuilder(client, table)
              .freshness(maxStaleness)
              .setProjectedColumnNames(List.of());
      for (KuduScanToken piece : pieces.pieces()) {
        AsyncKuduScanner scanner = piece.plan(client);
        asked.add(scanner);
        answers.add(scanner.nextRows());
      }
    }
    for (CompletableFuture<RowResultIterator> answer : answers) {
      KuduClient.join(answer);
    }
    return asked.stream()
        .mapToLong(AsyncKuduScanner::getSnapshotTimestamp)
        .filter(snapshot -> snapshot != AsyncKuduClient.NO_TIMESTAMP) // a range is gone
        .min()
        .orElseGet(() -> now(client));
  }

  /** The latest time of the cluster that the client has seen, or that of its own clock. */
  private static long now(AsyncKuduClient client) {
    return client.hasLastPropagatedTimestamp()
        ? client.getLastPropagatedTimestamp()
        : HybridTimeUtil.physicalAndLogicalToHTTimestamp(System.currentTimeMillis() * 1000, 0);
  }
}
