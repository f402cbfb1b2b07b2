package dev.kudu4j.spark.read;

import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.spark.KuduOptions;
import dev.kudu4j.spark.catalog.LoadedTable;
import dev.kudu4j.spark.client.ClusterErrors;
import dev.kudu4j.spark.client.Connection;
import dev.kudu4j.util.HybridTimeUtil;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.SparkSession;

/**
 * The snapshot of a query. The driver chooses it once for all scans of the query. So both sides of
 * a self-join, and all tables of the cluster, are read at the same snapshot, regardless of the
 * query's duration and concurrent writes.
 *
 * <p>Unless the query specifies a time or a freshness, the snapshot is the cluster's current time.
 * A server provides this time, because the driver's clock may differ. The snapshot is later than
 * everything that this client has seen or written.
 */
final class QuerySnapshots {
  private static final String EXECUTION_ID = "spark.sql.execution.id";
  private static final int REMEMBERED = 256;

  /** The snapshots of recent queries. Guarded by itself; a snapshot is chosen outside the lock. */
  private static final Map<Query, FutureTask<Long>> CHOSEN =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Query, FutureTask<Long>> eldest) {
          return size() > REMEMBERED;
        }
      };

  private QuerySnapshots() {}

  /**
   * @param freshness how old the snapshot may be; empty for a current one. Tables of a query that
   *     ask for different ones are read at different snapshots
   */
  private record Query(
      String application,
      String executionId,
      Connection connection,
      Optional<Duration> freshness) {}

  /**
   * The hybrid time that a query specifies; empty for the current time.
   *
   * @throws IllegalArgumentException for a time in the future, and for a time with a freshness
   */
  static OptionalLong specified(LoadedTable table, KuduOptions options) {
    boolean fresh = options.freshness().isPresent();
    if (fresh && table.snapshot().isPresent()) {
      throw new IllegalArgumentException(
          "Option " + KuduOptions.FRESHNESS + " cannot be combined with a time to read at");
    }
    OptionalLong millis = options.snapshotTimestampMillis();
    if (table.snapshot().isPresent() || millis.isEmpty()) {
      return table.snapshot();
    }
    long micros = TimeUnit.MILLISECONDS.toMicros(millis.getAsLong());
    return OptionalLong.of(SnapshotTime.ofMicros(table.name(), micros));
  }

  /** The hybrid time at which the query that this thread plans reads the table. */
  static long timestamp(LoadedTable table, KuduOptions options) {
    OptionalLong specified = specified(table, options);
    return specified.isPresent() ? specified.getAsLong() : chosen(table, options.freshness());
  }

  /**
   * A hybrid time that is not after the one at which a query will read the table; empty if that is
   * the current time. A scan can be planned with it before the query begins.
   */
  static OptionalLong earliest(LoadedTable table, KuduOptions options) {
    OptionalLong specified = specified(table, options);
    return specified.isPresent() || options.freshness().isEmpty()
        ? specified
        : OptionalLong.of(before(now(table.connection().client()), options.freshness().get()));
  }

  private static long before(long hybridTime, Duration staleness) {
    long micros = HybridTimeUtil.HTTimestampToPhysicalAndLogical(hybridTime)[0];
    long earlier = Math.max(0, micros - TimeUnit.MILLISECONDS.toMicros(staleness.toMillis()));
    return HybridTimeUtil.physicalAndLogicalToHTTimestamp(earlier, 0);
  }

  private static long chosen(LoadedTable table, Optional<Duration> freshness) {
    SparkSession session = SparkSession.active();
    String execution = session.sparkContext().getLocalProperty(EXECUTION_ID);
    if (execution == null) {
      return choose(table, freshness);
    }
    Query query =
        new Query(session.sparkContext().applicationId(), execution, table.connection(), freshness);
    FutureTask<Long> choice;
    synchronized (CHOSEN) {
      choice = CHOSEN.computeIfAbsent(query, q -> new FutureTask<>(() -> choose(table, freshness)));
    }
    choice.run(); // runs once, by the first caller
    return await(query, choice);
  }

  private static long await(Query query, FutureTask<Long> choice) {
    try {
      return choice.get();
    } catch (ExecutionException e) {
      synchronized (CHOSEN) {
        CHOSEN.remove(query, choice); // the next attempt may succeed
      }
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while choosing a query's snapshot", e);
    }
  }

  private static long choose(LoadedTable table, Optional<Duration> freshness) {
    if (freshness.isEmpty()) {
      return clusterTime(table);
    }
    try {
      return table.connection().client().chooseSnapshot(freshness.get(), table.kuduTable());
    } catch (KuduException e) {
      throw ClusterErrors.of("Table " + table.name() + " cannot be read", e);
    }
  }

  /** A time after all that the client has seen, from the clock of one of the table's servers. */
  private static long clusterTime(LoadedTable table) {
    KuduClient client = table.connection().client();
    try {
      KuduScanner ask =
          client
              .newScannerBuilder(table.kuduTable())
              .readMode(ReadMode.READ_LATEST)
              .setProjectedColumnNames(List.of())
              .limit(1)
              .build();
      try {
        ask.nextRows();
      } finally {
        ask.close();
      }
    } catch (KuduException e) {
      throw ClusterErrors.of("Table " + table.name() + " cannot be read", e);
    }
    return now(client);
  }

  private static long now(KuduClient client) {
    return client.hasLastPropagatedTimestamp()
        ? client.getLastPropagatedTimestamp() + 1
        : HybridTimeUtil.physicalAndLogicalToHTTimestamp(System.currentTimeMillis() * 1000, 0);
  }
}
