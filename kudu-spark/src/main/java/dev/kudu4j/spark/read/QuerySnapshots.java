package dev.kudu4j.spark.read;

import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.spark.KuduOptions;
import dev.kudu4j.spark.client.ClusterErrors;
import dev.kudu4j.spark.client.Connection;
import dev.kudu4j.spark.table.KuduSparkTable;
import dev.kudu4j.util.HybridTimeUtil;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.SparkSession;

/**
 * The time at which a query reads. The driver chooses it once, and all scans of the query have it:
 * both sides of a self-join, all tables of the cluster, however long the query runs and however
 * much is written meanwhile.
 *
 * <p>Unless the query says a time, it is the cluster's now: a server is asked, because the driver's
 * clock may differ, and what this client has seen or written before is part of it.
 */
final class QuerySnapshots {
  private static final String EXECUTION_ID = "spark.sql.execution.id";
  private static final int REMEMBERED = 256;

  /** Of the queries begun last. Guarded by itself; a choice is made outside of it. */
  private static final Map<Query, FutureTask<Long>> CHOSEN =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Query, FutureTask<Long>> eldest) {
          return size() > REMEMBERED;
        }
      };

  private QuerySnapshots() {}

  private record Query(String application, String executionId, Connection connection) {}

  /**
   * The hybrid time that a query says; empty for the newest.
   *
   * @throws IllegalArgumentException for a time in the future
   */
  static OptionalLong said(KuduSparkTable table, KuduOptions options) {
    OptionalLong millis = options.snapshotTimestampMillis();
    if (table.snapshot().isPresent() || millis.isEmpty()) {
      return table.snapshot();
    }
    long micros = TimeUnit.MILLISECONDS.toMicros(millis.getAsLong());
    return OptionalLong.of(SnapshotTime.ofMicros(table.name(), micros));
  }

  /** The hybrid time to read a table at, in the query that is being planned on this thread. */
  static long timestamp(KuduSparkTable table, KuduOptions options) {
    OptionalLong said = said(table, options);
    return said.isPresent() ? said.getAsLong() : now(table);
  }

  private static long now(KuduSparkTable table) {
    SparkSession session = SparkSession.active();
    String execution = session.sparkContext().getLocalProperty(EXECUTION_ID);
    if (execution == null) {
      return clusterTime(table);
    }
    Query query = new Query(session.sparkContext().applicationId(), execution, table.connection());
    FutureTask<Long> choice;
    synchronized (CHOSEN) {
      choice = CHOSEN.computeIfAbsent(query, q -> new FutureTask<>(() -> clusterTime(table)));
    }
    choice.run(); // once, whoever comes first
    return await(query, choice);
  }

  private static long await(Query query, FutureTask<Long> choice) {
    try {
      return choice.get();
    } catch (ExecutionException e) {
      synchronized (CHOSEN) {
        CHOSEN.remove(query, choice); // the next may have more luck
      }
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while a query's snapshot was chosen", e);
    }
  }

  /** A time after all that the client has seen, by the clock of one of the table's servers. */
  private static long clusterTime(KuduSparkTable table) {
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
    return client.hasLastPropagatedTimestamp()
        ? client.getLastPropagatedTimestamp() + 1
        : HybridTimeUtil.physicalAndLogicalToHTTimestamp(System.currentTimeMillis() * 1000, 0);
  }
}
