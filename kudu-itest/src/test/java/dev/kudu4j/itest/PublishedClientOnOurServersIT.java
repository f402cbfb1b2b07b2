package dev.kudu4j.itest;

import dev.kudu4j.itest.published.ClientSuite;
import dev.kudu4j.itest.support.LocalCluster;
import dev.kudu4j.itest.support.Pair;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Apache Kudu's client and our servers. */
class PublishedClientOnOurServersIT extends ClientSuite {
  @RegisterExtension
  static final Pair PAIR =
      new Pair(
          "the published client on our servers",
          directory -> new LocalCluster(directory, "--time_source=system_unsync").start());
}
