package dev.kudu4j.itest;

import dev.kudu4j.itest.suite.TransactionCases;
import dev.kudu4j.itest.support.Pair;
import dev.kudu4j.itest.support.PublishedCluster;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Transactions of our client on Apache Kudu's servers. */
class TransactionsOfOurClientOnPublishedServersIT extends TransactionCases {
  private static final int LEAST_CASES = 15;

  @RegisterExtension
  static final Pair PAIR =
      new Pair(
          "transactions of our client on the published servers",
          LEAST_CASES,
          directory ->
              new PublishedCluster(directory, PUBLISHED_FLAGS.toArray(String[]::new)).start());
}
