package dev.kudu4j.itest.faults;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The servers by number: masters from 0, then tablet servers.
 *
 * @param masters 1 or more
 */
record Roster(int masters, int tabletServers) {
  /** Stands for the clients where a server number is expected. */
  static final int CLIENTS = -1;

  Roster {
    checkArgument(masters >= 1, "A cluster needs a master");
    checkArgument(tabletServers >= 2, "A link needs two servers");
  }

  int count() {
    return masters + tabletServers;
  }

  boolean isMaster(int server) {
    return server < masters;
  }

  /** All servers but one. */
  List<Integer> others(int server) {
    return IntStream.range(0, count()).filter(s -> s != server).boxed().toList();
  }

  /** The name of the server's log file. */
  String name(int server) {
    if (isMaster(server)) {
      return masters == 1 ? "master" : "master-" + server;
    }
    return "tserver-" + (server - masters);
  }

  int numbered(String name) {
    return IntStream.range(0, count()).filter(s -> name(s).equals(name)).findFirst().orElseThrow();
  }
}
