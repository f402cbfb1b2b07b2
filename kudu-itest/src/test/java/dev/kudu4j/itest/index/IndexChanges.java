package dev.kudu4j.itest.index;

import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduIndex;
import java.util.List;
import java.util.Random;

/** Creates and drops indexes of the table of orders. Thread-safe. */
final class IndexChanges {
  private static final int LASTING_ONE_IN = 4;

  private final KuduClient client;
  private final Random random;
  private long count;

  IndexChanges(KuduClient client, Random random) {
    this.client = client;
    this.random = random;
  }

  /** Creates an index that is absent, or drops one that exists. */
  synchronized void changeOne() throws KuduException {
    List<KuduIndex> some =
        random.nextInt(LASTING_ONE_IN) == 0 ? OrderTable.LASTING : OrderTable.PASSING;
    change(some.get(random.nextInt(some.size())));
  }

  /** Drops an index if it exists, and creates it, so that servers build it. */
  synchronized void createAnew(KuduIndex index) throws KuduException {
    if (exists(index)) {
      change(index);
    }
    change(index);
  }

  /** Creates those that are absent. */
  synchronized void complete(List<KuduIndex> indexes) throws KuduException {
    for (KuduIndex index : indexes) {
      if (!exists(index)) {
        change(index);
      }
    }
  }

  private boolean exists(KuduIndex index) throws KuduException {
    return client.openTable(OrderTable.NAME).getIndexes().stream()
        .anyMatch(existing -> existing.getName().equals(index.getName()));
  }

  private void change(KuduIndex index) throws KuduException {
    AlterTableOptions options = new AlterTableOptions();
    if (exists(index)) {
      options.dropIndex(index.getName());
    } else {
      options.addIndex(index);
    }
    client.alterTable(OrderTable.NAME, options);
    count++;
  }

  synchronized long count() {
    return count;
  }
}
