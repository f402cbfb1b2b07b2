package dev.kudu4j.client;

import java.util.List;

/** The tablet servers that are registered with the master. */
public final class ListTabletServersResponse extends KuduRpcResponse {
  private final List<String> tabletServers;

  ListTabletServersResponse(long elapsedMillis, List<String> tabletServers) {
    super(elapsedMillis, null);
    this.tabletServers = List.copyOf(tabletServers);
  }

  public int getTabletServersCount() {
    return tabletServers.size();
  }

  /** The hosts of the tablet servers. */
  public List<String> getTabletServersList() {
    return tabletServers;
  }
}
