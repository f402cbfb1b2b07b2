package dev.kudu4j.itest;

import dev.kudu4j.itest.suite.ClientSuite;
import dev.kudu4j.itest.support.Pair;
import dev.kudu4j.itest.support.PublishedCluster;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Our client and Apache Kudu's servers. */
class OurClientOnPublishedServersIT extends ClientSuite {
  @RegisterExtension
  static final Pair PAIR =
      new Pair(
          "our client on the published servers",
          directory -> new PublishedCluster(directory).start());
}
