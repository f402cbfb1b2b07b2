package dev.kudu4j.benchmarks.workload;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kudu.client.KuduClient;
import org.apache.kudu.client.KuduException;
import org.apache.kudu.client.KuduTable;

/** Makes and drops tables with the schema of {@link LineItems}. */
public final class Tables {
  private final KuduClient client;

  public Tables(KuduClient client) {
    this.client = client;
  }

  /** Returns when the master knows a tablet server, without which no table can be made. */
  public void awaitTabletServer() throws KuduException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (client.listTabletServers().getTabletServersCount() == 0) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("No tablet server has come to the master within 60 s");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  public KuduTable create(String name, int tablets) throws KuduException {
    return client.createTable(name, LineItems.schema(), LineItems.partitioning(tablets));
  }

  public void drop(String name) throws KuduException {
    client.deleteTable(name);
  }

  /** Creates tables of one tablet, one after the other, and drops them. Nanoseconds of each. */
  public long[] timeCreations(String prefix, int count) throws KuduException {
    long[] nanos = new long[count];
    for (int i = 0; i < count; i++) {
      long startNanos = System.nanoTime();
      create(prefix + i, 1);
      nanos[i] = System.nanoTime() - startNanos;
    }
    for (int i = 0; i < count; i++) {
      drop(prefix + i);
    }
    return nanos;
  }
}
