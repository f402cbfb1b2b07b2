package dev.kudu4j.tools.demo;

import dev.kudu4j.embedded.EmbeddedCluster;

/** Prints suggestions for next steps. */
final class Farewell {
  private Farewell() {}

  static void leaving(Screen screen) {
    screen.act("Next steps");
    screen.say(
        "bin/kudu demo --keep     the demo, with a cluster that keeps running for"
            + " your own programs");
    screen.say("bin/kudu start           a cluster that keeps its data, in ./kudu-data");
    screen.say("README.md                quick starts for Java, tests, operators, benchmarks");
  }

  static void keeping(EmbeddedCluster cluster, Screen screen) {
    String master = cluster.masterAddresses();
    screen.act("The cluster runs until Ctrl-C; then its data is deleted");
    screen.say("Master   %s", master);
    if (!cluster.webAddresses().isEmpty()) {
      screen.say("Web      http://%s", cluster.webAddresses().get(0));
    }
    screen.say("");
    screen.say(
        "Java     KuduClient client = new KuduClient.KuduClientBuilder(\"%s\").build();", master);
    screen.say("Shell    bin/kudu table scan %s %s --limit=10", master, OrdersTable.NAME);
  }
}
