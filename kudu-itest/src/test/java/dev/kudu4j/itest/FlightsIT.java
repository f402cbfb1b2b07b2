package dev.kudu4j.itest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.itest.flights.Flights;
import dev.kudu4j.itest.flights.FlightsTable;
import dev.kudu4j.itest.flights.Question;
import dev.kudu4j.itest.flights.Summary;
import dev.kudu4j.itest.support.AdminCalls;
import dev.kudu4j.itest.support.LocalCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.apache.kudu.client.AsyncKuduScanner.RowDataFormat;
import org.apache.kudu.client.KuduClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real data through the published client: load, query, update, delete, flush, {@code kill -9},
 * restart; after each step the cluster's results equal those of a plain pass over the rows.
 */
class FlightsIT {
  @TempDir Path directory;

  @Test
  void resultsEqualAPlainPassAfterUpdatesFlushesAndKills() throws Exception {
    List<Object[]> rows = someFlights();
    Random random = new Random(2013);
    try (LocalCluster cluster = new LocalCluster(directory).start()) {
      try (KuduClient client = connect(cluster)) {
        FlightsTable table = new FlightsTable(client);
        table.insert(rows);
        check("after the load", table, rows);
        AdminCalls.flush(cluster.tabletServer());
        check("after a flush", table, rows);
      }
      for (int round = 1; round <= 2; round++) {
        try (KuduClient client = connect(cluster)) {
          FlightsTable table = new FlightsTable(client);
          List<Object[]> updated = updateSome(rows, random);
          table.update(updated, List.of("dep_delay", "tailnum", "distance"));
          if (round == 2) {
            AdminCalls.flush(cluster.tabletServer());
          }
          table.delete(removeSome(rows, random));
          check("after updates and deletes of round " + round, table, rows);
          if (round == 1) {
            AdminCalls.flush(cluster.tabletServer());
          }
        }
        cluster.killAndRestart();
        try (KuduClient client = connect(cluster)) {
          check("after kill -9 and restart " + round, new FlightsTable(client), rows);
        }
      }
    }
  }

  /** Every sixteenth flight; in the nightly tests all flights. */
  private static List<Object[]> someFlights() throws Exception {
    List<Object[]> all = Flights.read();
    assertThat(all).hasSize(336_776);
    int step = Integer.getInteger("flights.step", 16);
    List<Object[]> some = new ArrayList<>();
    for (int i = 0; i < all.size(); i += step) {
      some.add(all.get(i));
    }
    return some;
  }

  private static KuduClient connect(LocalCluster cluster) {
    return new KuduClient.KuduClientBuilder(cluster.masters()).build();
  }

  private static List<Object[]> updateSome(List<Object[]> rows, Random random) {
    List<Object[]> updated = new ArrayList<>();
    for (Object[] row : rows) {
      if (random.nextInt(20) == 0) {
        row[Flights.column("dep_delay")] =
            random.nextInt(5) == 0 ? null : (double) (random.nextInt(500) - 20);
        row[Flights.column("tailnum")] = random.nextInt(5) == 0 ? null : "K" + random.nextInt(100);
        row[Flights.column("distance")] = (long) random.nextInt(3000);
        updated.add(row);
      }
    }
    return updated;
  }

  private static List<Object[]> removeSome(List<Object[]> rows, Random random) {
    List<Object[]> removed = new ArrayList<>();
    List<Object[]> kept = new ArrayList<>();
    Iterator<Object[]> each = rows.iterator();
    while (each.hasNext()) {
      Object[] row = each.next();
      (random.nextInt(50) == 0 ? removed : kept).add(row);
    }
    rows.clear();
    rows.addAll(kept);
    return removed;
  }

  private static void check(String when, FlightsTable table, List<Object[]> rows) throws Exception {
    Summary expected = Summary.of(rows);
    for (RowDataFormat layout : RowDataFormat.values()) {
      assertThat(table.scan(layout, List.of())).as("%s, %s", when, layout).isEqualTo(expected);
    }
    int asked = 0;
    for (Question question : Question.TWENTY) {
      Summary answer = Summary.of(rows.stream().filter(question::matches).toList());
      RowDataFormat layout = RowDataFormat.values()[asked++ % RowDataFormat.values().length];
      assertThat(table.scan(layout, question.predicates(Flights.schema())))
          .as("%s, %s, %s", when, question.text(), layout)
          .isEqualTo(answer);
    }
  }
}
