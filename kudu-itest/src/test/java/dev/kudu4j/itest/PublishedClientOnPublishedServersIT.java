package dev.kudu4j.itest;

import dev.kudu4j.itest.published.ClientSuite;
import dev.kudu4j.itest.support.Pair;
import dev.kudu4j.itest.support.PublishedCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The reference: shows that Apache Kudu itself passes every case. */
@Tag("nightly")
class PublishedClientOnPublishedServersIT extends ClientSuite {
  @RegisterExtension
  static final Pair PAIR =
      new Pair(
          "the published client on the published servers",
          directory -> new PublishedCluster(directory).start());
}
