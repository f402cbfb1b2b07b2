package dev.kudu4j.itest;

import dev.kudu4j.itest.suite.TransactionCases;
import dev.kudu4j.itest.support.LocalCluster;
import dev.kudu4j.itest.support.Pair;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Transactions of our client on our servers. */
class TransactionsOfOurClientIT extends TransactionCases {
  private static final int LEAST_CASES = 15;

  @RegisterExtension
  static final Pair PAIR =
      new Pair(
          "transactions of our client on our servers",
          LEAST_CASES,
          directory -> new LocalCluster(directory, FLAGS.toArray(String[]::new)).start());
}
