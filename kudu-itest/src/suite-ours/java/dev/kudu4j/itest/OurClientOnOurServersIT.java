package dev.kudu4j.itest;

import dev.kudu4j.itest.suite.ClientSuite;
import dev.kudu4j.itest.support.LocalCluster;
import dev.kudu4j.itest.support.Pair;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Our client and our servers. */
class OurClientOnOurServersIT extends ClientSuite {
  @RegisterExtension
  static final Pair PAIR =
      new Pair(
          "our client on our servers",
          directory -> new LocalCluster(directory, "--time_source=system_unsync").start());
}
