package dev.kudu4j.benchmarks.workload.ours;

import dev.kudu4j.benchmarks.workload.Workload;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTable;

/** Creates and drops tables with the schema of {@link LineItems}. */
final class Tables {
  private final KuduClient client;
  private final Workload workload;

  Tables(KuduClient client, Workload workload) {
    this.client = client;
    this.workload = workload;
  }

  /** Waits until the master knows as many tablet servers as a table needs. */
  void awaitTabletServers() throws KuduException {
    TabletServers.await(client, workload.replicas());
  }

  KuduTable create(String name, int tablets) throws KuduException {
    return client.createTable(
        name,
        LineItems.schema(workload.types(), workload.compression()),
        LineItems.partitioning(tablets, workload.replicas()));
  }

  void drop(String name) throws KuduException {
    client.deleteTable(name);
  }

  /** Creates tables of one tablet in sequence, and drops them. Returns the nanoseconds of each. */
  long[] timeCreations(String prefix, int count) throws KuduException {
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
