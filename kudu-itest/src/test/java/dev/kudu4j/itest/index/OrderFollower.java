package dev.kudu4j.itest.index;

import dev.kudu4j.client.KuduChange;
import dev.kudu4j.client.KuduChangeFeed;
import dev.kudu4j.client.KuduChangeFeedBuilder;
import dev.kudu4j.client.KuduChangePosition;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.itest.workload.Findings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Follows the change feed of the table of orders in a thread, and keeps the rows. Each change must
 * fit to the row before it, so one that comes twice, too late or not at all is noticed.
 */
final class OrderFollower implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);

  private final KuduClient client;
  private final Findings findings;
  private final Map<Long, String> rows = new TreeMap<>();
  private final Thread thread = new Thread(this::follow, "follower");
  private KuduChangePosition position;
  private volatile boolean ended;

  /**
   * @param client owned
   */
  OrderFollower(KuduClient client, Findings findings) {
    this.client = client;
    this.findings = findings;
    thread.start();
  }

  private KuduChangeFeedBuilder feed() throws KuduException {
    return client.openTable(OrderTable.NAME).changes().columns(OrderTable.COLUMNS);
  }

  private void follow() {
    try {
      KuduChangeFeed feed = feed().fromBeginning().build();
      while (!ended) {
        feed.poll(POLL).forEach(this::accept);
      }
      position = feed.position();
    } catch (KuduException | RuntimeException e) {
      findings.add("the follower of changes ended with %s", e);
    }
  }

  private void accept(KuduChange change) {
    long id = change.row().getLong("id");
    String before = text(change.before());
    String known = rows.get(id);
    if (!String.valueOf(known).equals(String.valueOf(before))) {
      findings.add("%s of order %d does not fit: it was %s", change, id, known);
    }
    String after = text(change.after());
    if (after == null) {
      rows.remove(id);
    } else {
      rows.put(id, after);
    }
  }

  private static String text(Optional<RowResult> row) {
    return row.map(OrderTable::text).orElse(null);
  }

  /** Follows up to a snapshot and compares the rows. */
  void compareWith(OrderWriters.Moment moment) throws InterruptedException, KuduException {
    ended = true;
    thread.join(OrderWriters.PATIENCE.toMillis());
    if (thread.isAlive() || position == null) {
      findings.add("the follower of changes hangs at %s", List.of(thread.getStackTrace()));
      return;
    }
    KuduChangeFeed rest = feed().from(position).until(moment.timestamp()).build();
    while (!rest.isOver()) {
      rest.poll(POLL).forEach(this::accept);
    }
    Map<Long, String> expected = new TreeMap<>();
    moment.rows().forEach(order -> expected.put(order.id(), order.text(OrderTable.COLUMNS)));
    if (!rows.equals(expected)) {
      findings.add("the follower has %d orders instead of %d", rows.size(), expected.size());
    }
  }

  @Override
  public void close() throws KuduException {
    ended = true;
    client.close();
  }
}
