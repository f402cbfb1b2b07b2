package dev.kudu4j.benchmarks.ycsb.ours;

import dev.kudu4j.benchmarks.ycsb.Binding;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduScanner;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import site.ycsb.DB;

/**
 * The binding of one cluster, with the operations that a run needs in addition to YCSB's own calls.
 */
public final class KuduBinding implements Binding {
  private final String masters;
  private final KuduClient client;

  public KuduBinding(String masters) {
    this.masters = masters;
    this.client = SharedClient.acquire(masters);
  }

  @Override
  public DB newDb() {
    return new KuduDb();
  }

  @Override
  public void awaitTabletServers(int count) throws KuduException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (client.listTabletServers().getTabletServersCount() < count) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "Fewer than " + count + " tablet servers registered with " + masters + " within 60 s");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  @Override
  public void drop(String table) throws KuduException {
    client.deleteTable(table);
  }

  @Override
  public long count(String table) throws KuduException {
    KuduScanner scanner =
        client
            .newScannerBuilder(client.openTable(table))
            .setProjectedColumnNames(List.of())
            .build();
    long rows = 0;
    while (scanner.hasMoreRows()) {
      rows += scanner.nextRows().getNumRows();
    }
    scanner.close();
    return rows;
  }

  @Override
  public void close() throws KuduException {
    SharedClient.release(masters);
  }
}
