package dev.kudu4j.tools.demo;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.LocatedTablet;
import dev.kudu4j.embedded.EmbeddedCluster;
import java.util.ArrayList;
import java.util.List;

/**
 * The number of tablets that each tablet server leads.
 *
 * @param tablets number of tablets of all tables
 * @param led the tablets led, by tablet server, from 0
 */
record Leaders(int tablets, List<Integer> led) {
  private static final long TIMEOUT_MILLIS = 30_000;

  static Leaders of(EmbeddedCluster cluster, KuduClient client, String... tables) throws Exception {
    List<LocatedTablet> all = new ArrayList<>();
    for (String table : tables) {
      all.addAll(client.openTable(table).getTabletsLocations(TIMEOUT_MILLIS));
    }
    List<Integer> led = new ArrayList<>();
    for (int i = 0; i < cluster.tabletServerCount(); i++) {
      int port = cluster.tabletServerAddress(i).port();
      long count = all.stream().filter(tablet -> isLedAt(tablet, port)).count();
      led.add((int) count);
    }
    return new Leaders(all.size(), List.copyOf(led));
  }

  private static boolean isLedAt(LocatedTablet tablet, int port) {
    LocatedTablet.Replica leader = tablet.getLeaderReplica();
    return leader != null && leader.getRpcPort() == port;
  }

  /** The server that leads the most tablets. */
  int busiest() {
    int best = 0;
    for (int i = 1; i < led.size(); i++) {
      best = led.get(i) > led.get(best) ? i : best;
    }
    return best;
  }
}
