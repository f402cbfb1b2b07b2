package dev.kudu4j.tools.cluster;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.Masters;
import java.util.List;

/** Finds the server that leads a tablet, by querying the tablet servers. */
final class TabletLeader {
  private TabletLeader() {}

  /**
   * @throws KuduException NOT_FOUND if no server has the tablet, ILLEGAL_STATE if no server leads
   *     it
   */
  static ServerState of(String tablet, Masters masters, ClusterCalls calls) {
    List<ServerState> holders =
        ClusterSurvey.tabletServers(calls).values().stream()
            .filter(server -> server.replicas().containsKey(tablet))
            .toList();
    if (holders.isEmpty()) {
      throw KuduException.notFound(
          "No server of %s has tablet %s; kudu table list --list_tablets lists tablets",
          masters, tablet);
    }
    return holders.stream()
        .filter(
            server ->
                server.consensus().containsKey(tablet)
                    && server.consensus().get(tablet).getLeaderUuid().equals(server.uuid()))
        .findFirst()
        .orElseThrow(
            () ->
                KuduException.illegalState(
                    "Tablet %s currently has no leader; see kudu cluster ksck", tablet));
  }
}
