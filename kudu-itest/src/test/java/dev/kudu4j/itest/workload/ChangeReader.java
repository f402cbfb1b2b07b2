package dev.kudu4j.itest.workload;

import dev.kudu4j.client.KuduChange;
import dev.kudu4j.client.KuduChangeFeed;
import dev.kudu4j.client.KuduChangeFeedBuilder;
import dev.kudu4j.client.KuduChangePosition;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.ReplicaSelection;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.itest.workload.Store.Change;
import dev.kudu4j.itest.workload.Store.Changes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads changes of tables with our client; goes on with an open feed if the position is its own.
 */
public final class ChangeReader implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);

  private final KuduClient client;
  private @Nullable KuduChangeFeed open;
  private String position = "";
  private boolean fromFollowers;

  public ChangeReader(String masters, long callMillis) {
    client =
        new KuduClient.KuduClientBuilder(masters)
            .defaultOperationTimeoutMs(callMillis)
            .defaultAdminOperationTimeoutMs(2 * callMillis)
            .build();
  }

  /** See {@link Store#follow}. */
  public Changes follow(String table, String from, boolean toNow) throws Unavailable {
    try {
      List<Change> changes = new ArrayList<>();
      KuduChangeFeed feed = feed(table, from, toNow);
      do {
        feed.poll(POLL).forEach(change -> changes.add(change(change)));
      } while (toNow && !feed.isOver());
      open = toNow ? null : feed;
      position = feed.position().serialize();
      return new Changes(changes, position);
    } catch (KuduException e) {
      open = null;
      throw new Unavailable(e);
    }
  }

  private KuduChangeFeed feed(String name, String from, boolean toNow) throws KuduException {
    KuduChangeFeed feed = open;
    if (feed != null && from.equals(position) && !toNow) {
      return feed;
    }
    KuduTable table = client.openTable(name);
    KuduChangeFeedBuilder builder = table.changes();
    if (from.isEmpty()) {
      builder.fromBeginning();
    } else {
      builder.from(KuduChangePosition.parse(from));
    }
    if (toNow) {
      builder.until(client.newReadSession(Duration.ZERO).advance(table));
    }
    fromFollowers = !fromFollowers;
    builder.replicaSelection(
        fromFollowers ? ReplicaSelection.CLOSEST_REPLICA : ReplicaSelection.LEADER_ONLY);
    return builder.build();
  }

  private static Change change(KuduChange change) {
    return new Change(row(change.before()), row(change.after()));
  }

  private static @Nullable Row row(Optional<RowResult> row) {
    return row.map(cells -> new Row(cells.getLong(0), cells.getLong(1), cells.getLong(2)))
        .orElse(null);
  }

  @Override
  public void close() {
    try {
      client.close();
    } catch (KuduException e) {
      throw new AssertionError(e);
    }
  }
}
