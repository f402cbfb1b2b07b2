package dev.kudu4j.itest;

import dev.kudu4j.itest.published.TransactionCases;
import dev.kudu4j.itest.support.LocalCluster;
import dev.kudu4j.itest.support.Pair;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Transactions of Apache Kudu's client on our servers. */
class TransactionsOfPublishedClientIT extends TransactionCases {
  private static final int LEAST_CASES = 15;

  @RegisterExtension
  static final Pair PAIR =
      new Pair(
          "transactions of the published client on our servers",
          LEAST_CASES,
          directory -> new LocalCluster(directory, FLAGS.toArray(String[]::new)).start());
}
