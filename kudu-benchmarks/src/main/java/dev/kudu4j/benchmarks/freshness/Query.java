package dev.kudu4j.benchmarks.freshness;

import dev.kudu4j.client.AsyncKuduScanner.RowDataFormat;
import dev.kudu4j.client.KuduAggregateBuilder;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduTable;
import java.time.Duration;

/** The measured queries. The goal of each is the quotient of its costs at freshness 0 and 30 s. */
enum Query {
  COUNT("COUNT(*)", 10) {
    @Override
    long run(KuduClient client, KuduTable table, Duration freshness) throws KuduException {
      return count(table.aggregate(), freshness);
    }
  },

  /** A hundredth of the rows. */
  PREDICATE("COUNT(*) WHERE " + FreshnessTable.QUANTITY + " = 7", 5) {
    @Override
    long run(KuduClient client, KuduTable table, Duration freshness) throws KuduException {
      KuduPredicate seven =
          KuduPredicate.newComparisonPredicate(
              table.getSchema().getColumn(FreshnessTable.QUANTITY), ComparisonOp.EQUAL, 7);
      return count(table.aggregate().addPredicate(seven), freshness);
    }
  },

  ALL_COLUMNS("all columns of all rows", 1.5) {
    @Override
    long run(KuduClient client, KuduTable table, Duration freshness) throws KuduException {
      KuduScanner scanner = client.newScannerBuilder(table).freshness(freshness).build();
      scanner.setRowDataFormat(RowDataFormat.COLUMNAR);
      long rows = 0;
      while (scanner.hasMoreRows()) {
        rows += scanner.nextRows().getNumRows();
      }
      scanner.close();
      return rows;
    }
  };

  private final String title;
  private final double goal;

  Query(String title, double goal) {
    this.title = title;
    this.goal = goal;
  }

  String title() {
    return title;
  }

  /** How many times less server CPU a freshness of 30 s should take than one of 0. */
  double goal() {
    return goal;
  }

  /** Whether the query counts all rows, so that the age of its answer can be checked. */
  boolean countsAllRows() {
    return this != PREDICATE;
  }

  /** Returns the number of rows. */
  abstract long run(KuduClient client, KuduTable table, Duration freshness) throws KuduException;

  private static long count(KuduAggregateBuilder aggregate, Duration freshness)
      throws KuduException {
    return aggregate.count("rows").freshness(freshness).build().execute().next().getLong(0);
  }
}
