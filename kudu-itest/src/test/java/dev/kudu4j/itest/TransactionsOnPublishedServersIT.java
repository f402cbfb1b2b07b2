package dev.kudu4j.itest;

import dev.kudu4j.itest.published.TransactionCases;
import dev.kudu4j.itest.support.Pair;
import dev.kudu4j.itest.support.PublishedCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The reference: transactions of Apache Kudu itself. */
@Tag("nightly")
class TransactionsOnPublishedServersIT extends TransactionCases {
  private static final int LEAST_CASES = 15;

  @RegisterExtension
  static final Pair PAIR =
      new Pair(
          "transactions of the published client on the published servers",
          LEAST_CASES,
          directory ->
              new PublishedCluster(directory, PUBLISHED_FLAGS.toArray(String[]::new)).start());
}
