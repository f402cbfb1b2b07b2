package dev.kudu4j.client;

import dev.kudu4j.client.cluster.Cluster;

/**
 * STUB (core engineer). A client whose methods return futures; {@link KuduClient} waits for them.
 */
public final class AsyncKuduClient implements AutoCloseable {
  /** The connection to the cluster, for sessions and scanners. */
  Cluster cluster() {
    throw new UnsupportedOperationException("STUB");
  }

  public long getDefaultOperationTimeoutMs() {
    throw new UnsupportedOperationException("STUB");
  }

  @Override
  public void close() {}
}
