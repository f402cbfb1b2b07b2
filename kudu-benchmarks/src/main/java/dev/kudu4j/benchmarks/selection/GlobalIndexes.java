package dev.kudu4j.benchmarks.selection;

import dev.kudu4j.benchmarks.cluster.Poll;
import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduIndex;
import dev.kudu4j.client.KuduIndexProgress;
import dev.kudu4j.client.KuduTable;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Waits for the global indexes of a table, which are tables of their own. */
public final class GlobalIndexes {
  private static final long TIMEOUT_MILLIS = 1_800_000;
  private static final long POLL_MILLIS = 20;

  private GlobalIndexes() {}

  /** Waits until all are built. Then clients that open the table read them. */
  public static void awaitReady(KuduClient client, String table) {
    Poll.until(
        "the global indexes of " + table + " are ready",
        TIMEOUT_MILLIS,
        POLL_MILLIS,
        () -> areReady(client, table));
  }

  private static boolean areReady(KuduClient client, String table) {
    try {
      KuduTable indexed = client.openTable(table);
      Set<String> wanted = names(indexed).stream().collect(Collectors.toSet());
      for (KuduIndexProgress progress : indexed.getIndexProgress()) {
        if (progress.state() == KuduIndexProgress.State.FAILED) {
          throw new IllegalStateException("An index of " + table + " has failed: " + progress);
        }
        if (progress.state() == KuduIndexProgress.State.READY) {
          wanted.remove(progress.name());
        }
      }
      return wanted.isEmpty();
    } catch (KuduException e) {
      throw new IllegalStateException("Cannot open " + table, e);
    }
  }

  private static List<String> names(KuduTable table) {
    return table.getIndexes().stream().filter(KuduIndex::isGlobal).map(KuduIndex::getName).toList();
  }

  /**
   * Waits until all have the rows that are in the table now.
   *
   * @param rows their number
   */
  public static void awaitRows(KuduClient client, String table, long rows) throws KuduException {
    for (String index : names(client.openTable(table))) {
      long found =
          client
              .openTable(table + '@' + index)
              .aggregate()
              .count("rows")
              .readMode(ReadMode.READ_AT_SNAPSHOT)
              .scanRequestTimeout(TIMEOUT_MILLIS)
              .build()
              .execute()
              .next()
              .getLong(0);
      if (found != rows) {
        throw new IllegalStateException(
            "Index %s of %s has %,d rows instead of %,d".formatted(index, table, found, rows));
      }
    }
  }
}
