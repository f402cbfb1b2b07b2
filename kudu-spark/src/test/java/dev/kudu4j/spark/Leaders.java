package dev.kudu4j.spark;

import static org.awaitility.Awaitility.await;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.LocatedTablet;
import dev.kudu4j.embedded.EmbeddedCluster;
import java.time.Duration;
import java.util.Objects;

/** Which servers of a cluster lead tablets, for tests that stop one of them. */
public final class Leaders {
  private Leaders() {}

  /** The index of the tablet server that leads the first tablet of a table. */
  public static int ofFirstTablet(EmbeddedCluster cluster, String table) {
    int port =
        await("the leader is known")
            .atMost(Duration.ofMinutes(1))
            .until(() -> asTheMasterSays(cluster, table), Objects::nonNull)
            .getRpcPort();
    for (int i = 0; i < cluster.tabletServerCount(); i++) {
      if (cluster.tabletServerAddress(i).port() == port) {
        return i;
      }
    }
    throw new AssertionError("No server has port " + port);
  }

  /** Uses a new client, which has no cached locations and so asks the master. */
  private static LocatedTablet.Replica asTheMasterSays(EmbeddedCluster cluster, String table)
      throws KuduException {
    try (KuduClient client = new KuduClient.KuduClientBuilder(cluster.masterAddresses()).build()) {
      return client.openTable(table).getTabletsLocations(60_000).get(0).getLeaderReplica();
    }
  }
}
