package dev.kudu4j.tools.demo;

import dev.kudu4j.embedded.EmbeddedCluster;

/** Where to go from here. */
final class Farewell {
  private Farewell() {}

  static void leaving(Screen screen) {
    screen.act("Where to go next");
    screen.say("bin/kudu demo --keep     the same, and the cluster stays for your own programs");
    screen.say("bin/kudu start           a cluster that keeps its data, in ./kudu-data");
    screen.say("README.md                the shortest path for Java, tests, operators, benchmarks");
  }

  static void keeping(EmbeddedCluster cluster, Screen screen) {
    String master = cluster.masterAddresses();
    screen.act("The cluster stays until Ctrl-C; then its data is gone");
    screen.say("Master   %s", master);
    if (!cluster.webAddresses().isEmpty()) {
      screen.say("Web      http://%s", cluster.webAddresses().get(0));
    }
    screen.say("");
    screen.say(
        "Java     KuduClient client = new KuduClient.KuduClientBuilder(\"%s\").build();", master);
    screen.say("Shell    bin/kudu table scan %s %s", master, OrdersTable.NAME);
  }
}
