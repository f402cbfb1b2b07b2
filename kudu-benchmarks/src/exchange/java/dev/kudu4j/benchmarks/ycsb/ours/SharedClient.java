package dev.kudu4j.benchmarks.ycsb.ours;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import java.util.HashMap;
import java.util.Map;

/** One client per cluster and process, for any number of YCSB threads. */
final class SharedClient {
  private static final Map<String, SharedClient> BY_MASTERS = new HashMap<>();

  private final KuduClient client;
  private int users;

  private SharedClient(KuduClient client) {
    this.client = client;
  }

  /** The client of these masters; the caller must call {@link #release}. */
  static KuduClient acquire(String masters) {
    synchronized (BY_MASTERS) {
      SharedClient shared =
          BY_MASTERS.computeIfAbsent(
              masters, m -> new SharedClient(new KuduClient.KuduClientBuilder(m).build()));
      shared.users++;
      return shared.client;
    }
  }

  /** Closes the client after its last user. */
  static void release(String masters) throws KuduException {
    synchronized (BY_MASTERS) {
      SharedClient shared = BY_MASTERS.get(masters);
      shared.users--;
      if (shared.users == 0) {
        BY_MASTERS.remove(masters);
        shared.client.close();
      }
    }
  }
}
