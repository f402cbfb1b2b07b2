package dev.kudu4j.master.placement;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.master.heartbeat.TabletServer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Chooses servers by the power of two choices: for each replica two servers at random, and of these
 * the one with fewer replicas. Nearly as even as always taking the emptiest, but a new server is
 * not run over, and two masters' choices do not march in step.
 *
 * <p>One placer serves one table's creation: it counts what it has placed itself. Not thread-safe.
 */
public final class ReplicaPlacer {
  private final List<TabletServer> live;
  private final RandomGenerator random;
  private final Map<TabletServer, Integer> placed = new HashMap<>();

  public ReplicaPlacer(List<TabletServer> live, RandomGenerator random) {
    this.live = List.copyOf(live);
    this.random = random;
  }

  /**
   * Servers for the replicas of one tablet, all different.
   *
   * @throws KuduException INVALID_ARGUMENT when there are fewer servers than replicas
   */
  public List<TabletServer> place(int replicaCount) {
    if (live.size() < replicaCount) {
      throw KuduException.invalidArgument(
          "not enough live tablet servers for a replication factor of %d: %d of them are alive;"
              + " start more or ask for fewer replicas",
          replicaCount, live.size());
    }
    List<TabletServer> candidates = new ArrayList<>(live);
    List<TabletServer> chosen = new ArrayList<>(replicaCount);
    for (int i = 0; i < replicaCount; i++) {
      TabletServer server = lighter(pick(candidates), pick(candidates));
      candidates.remove(server);
      chosen.add(server);
      placed.merge(server, 1, Integer::sum);
    }
    return chosen;
  }

  /** Tells the chosen servers' own counts, once the placement is certain. */
  public void commit() {
    placed.forEach(
        (server, count) -> {
          for (int i = 0; i < count; i++) {
            server.addPlaced();
          }
        });
    placed.clear();
  }

  private TabletServer pick(List<TabletServer> candidates) {
    return candidates.get(random.nextInt(candidates.size()));
  }

  private TabletServer lighter(TabletServer a, TabletServer b) {
    return load(b) < load(a) ? b : a;
  }

  private int load(TabletServer server) {
    return server.load() + placed.getOrDefault(server, 0);
  }
}
