package dev.kudu4j.itest.index;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduIndexHint;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.ScanCounter;
import dev.kudu4j.client.ScanReport;
import dev.kudu4j.client.Status;
import dev.kudu4j.itest.workload.Findings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Random queries, asked with indexes and without them, at one snapshot and each at any replica:
 * both have the same rows. If the rows of the snapshot are known, it is these. Servers may be
 * killed meanwhile. One thread compares; others may look at the counts.
 */
final class Comparisons {
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(3);

  private final KuduClient client;
  private final KuduTable table;
  private final Findings findings;
  private final Random random;
  private final RandomFilters filters;
  private final Map<String, Integer> indexedScans = new TreeMap<>();
  private long count;
  private long rows;
  private long indexedRowsets;
  private long rowsets;

  Comparisons(KuduClient client, KuduTable table, Findings findings, Random random) {
    this.client = client;
    this.table = table;
    this.findings = findings;
    this.random = random;
    this.filters = new RandomFilters(table.getSchema(), random);
  }

  /** Compares the answers of one query, at a random snapshot from the first to the last. */
  void compareBetween(long first, long last) {
    compare(Query.random(filters, random), random.nextLong(first, last + 1), null);
  }

  /** Compares the answers of one query with each other and with the rows that there were. */
  void compareAt(OrderWriters.Moment moment) {
    compare(Query.random(filters, random), moment.timestamp(), moment.rows());
  }

  private void compare(Query query, long snapshot, List<Order> known) {
    Query.Answer forced = ask(query, KuduIndexHint.force(), snapshot);
    Query.Answer plain = ask(query, KuduIndexHint.forbid(), snapshot);
    note(forced);
    if (!forced.rows().equals(plain.rows())) {
      findings.add(
          "%s at %d: %s\n  forced: %s\n  forbidden: %s",
          query,
          snapshot,
          difference(forced.rows(), plain.rows()),
          forced.report(),
          plain.report());
    }
    if (known != null && !plain.rows().equals(query.answer(known))) {
      findings.add(
          "%s at %d without indexes, instead of the rows that were written: %s\n  %s",
          query, snapshot, difference(plain.rows(), query.answer(known)), plain.report());
    }
  }

  private static String difference(List<String> found, List<String> expected) {
    List<String> more = new ArrayList<>(found);
    expected.forEach(more::remove);
    List<String> less = new ArrayList<>(expected);
    found.forEach(less::remove);
    return "additional rows " + more + ", missing rows " + less;
  }

  /** Repeats a query that a dying server has ended. */
  private Query.Answer ask(Query query, KuduIndexHint hint, long snapshot) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      try {
        return query.ask(client, table, hint, snapshot);
      } catch (KuduException e) {
        if (!isOfAKill(e.getStatus()) || System.nanoTime() - end > 0) {
          throw new AssertionError(query + " at " + snapshot + " with " + hint + " failed", e);
        }
      }
    }
  }

  private static boolean isOfAKill(Status status) {
    return status.isNetworkError()
        || status.isNotFound() // the scanner
        || status.isServiceUnavailable()
        || status.isTimedOut()
        || status.isAborted()
        || status.isIllegalState();
  }

  private synchronized void note(Query.Answer forced) {
    count++;
    rows += forced.rows().size();
    for (ScanReport.Tablet tablet : forced.report().getTablets()) {
      if (tablet.hasCounters()) {
        rowsets += tablet.get(ScanCounter.ROWSETS);
        indexedRowsets += tablet.get(ScanCounter.ROWSETS_INDEXED);
        if (tablet.getIndexes().stream().anyMatch(index -> index.getUsedStores() > 0)) {
          indexedScans.merge(tablet.getTabletId() + " on " + tablet.getServer(), 1, Integer::sum);
        }
      }
    }
  }

  synchronized long count() {
    return count;
  }

  /** The number of scans that used an index, by replica. */
  synchronized Map<String, Integer> indexedScans() {
    return Map.copyOf(indexedScans);
  }

  synchronized String summary() {
    return String.format(
        "%d queries compared, %d rows; indexes used in %d of %d rowsets",
        count, rows, indexedRowsets, rowsets);
  }
}
