package dev.kudu4j.itest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduAggregate;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduCondition;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.ReplicaSelection;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.itest.support.PublishedCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A sample has the same rows on any replica, of our servers and of Apache Kudu's, before and after
 * updates and flushes.
 */
class SamplesIT {
  private static final int ROWS = 6000;
  private static final int HOSTS = 50;

  @TempDir private Path directory;

  @Test
  void serversAndClientSelectTheSameRows() throws Exception {
    Set<Long> ours;
    try (EmbeddedCluster cluster =
            EmbeddedCluster.builder()
                .tabletServers(3)
                .tabletServerFlag("--flush_threshold_secs=1")
                .start();
        KuduClient client = new KuduClient.KuduClientBuilder(cluster.masterAddresses()).build()) {
      ours = new Events(client, 3).verify();
    }
    try (PublishedCluster cluster = new PublishedCluster(directory).start();
        KuduClient client = new KuduClient.KuduClientBuilder(cluster.masters()).build()) {
      assertThat(new Events(client, 1).verify()).isEqualTo(ours);
    }
  }

  /** A table of events of hosts, in which every id is even. */
  private static final class Events {
    private final KuduClient client;
    private final KuduTable table;

    Events(KuduClient client, int replicas) throws KuduException {
      this.client = client;
      Schema schema =
          new Schema(
              List.of(
                  new ColumnSchemaBuilder("host", Type.STRING).key(true).build(),
                  new ColumnSchemaBuilder("id", Type.INT64).key(true).build(),
                  new ColumnSchemaBuilder("value", Type.INT32).nullable(true).build()));
      CreateTableOptions options =
          new CreateTableOptions().addHashPartitions(List.of("id"), 2).setNumReplicas(replicas);
      this.table = client.createTable("events", schema, options);
    }

    /** Returns the ids of a sample. */
    Set<Long> verify() throws Exception {
      write(false);
      KuduCondition tenth = KuduCondition.sample(table.getSchema(), 0.1, 7);
      Set<Long> ids = read(tenth);
      assertThat(ids).hasSizeBetween(ROWS / 10 - 140, ROWS / 10 + 140); // six deviations
      write(true);
      assertThat(read(tenth)).isEqualTo(ids);
      for (ReplicaSelection replicas : ReplicaSelection.values()) {
        assertThat(ids(scan(tenth).replicaSelection(replicas).readMode(ReadMode.READ_AT_SNAPSHOT)))
            .isEqualTo(ids);
      }
      verifyConditions(tenth, ids);
      verifyRanges();
      verifyHosts();
      verifyOtherReads(tenth, ids);
      return ids;
    }

    private void write(boolean again) throws KuduException {
      KuduSession session = client.newSession();
      session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
      for (long i = 0; i < ROWS; i++) {
        Operation operation = again ? table.newUpsert() : table.newInsert();
        operation.getRow().addString("host", "host-" + i % HOSTS);
        operation.getRow().addLong("id", 2 * i);
        if (again && i % 3 == 0) {
          operation.getRow().setNull("value");
        } else {
          operation.getRow().addInt("value", (int) (i % 10));
        }
        session.apply(operation);
      }
      session.flush();
      assertThat(session.countPendingErrors()).isZero();
      session.close();
    }

    private ColumnSchema column(String name) {
      return table.getSchema().getColumn(name);
    }

    private KuduScanner.KuduScannerBuilder scan(KuduCondition condition) {
      return client.newScannerBuilder(table).addCondition(condition);
    }

    private Set<Long> read(KuduCondition condition) throws KuduException {
      return ids(scan(condition).setProjectedColumnNames(List.of("value", "id")));
    }

    private static Set<Long> ids(KuduScanner.KuduScannerBuilder scan) {
      Set<Long> ids = new TreeSet<>();
      for (RowResult row : scan.build()) {
        assertThat(ids.add(row.getLong("id"))).isTrue();
      }
      return ids;
    }

    private static Set<Long> some(Set<Long> ids, LongPredicate wanted) {
      Set<Long> some = new TreeSet<>(ids);
      some.removeIf(id -> !wanted.test(id));
      return some;
    }

    /** A sample is a condition like others, also in AND, OR and NOT. */
    private void verifyConditions(KuduCondition tenth, Set<Long> ids) throws KuduException {
      KuduCondition small =
          KuduPredicate.newComparisonPredicate(column("value"), ComparisonOp.LESS, 3).asCondition();
      Set<Long> smallIds = read(small);
      assertThat(read(KuduCondition.and(tenth, small))).isEqualTo(some(ids, smallIds::contains));
      Set<Long> either = new TreeSet<>(ids);
      either.addAll(smallIds);
      assertThat(read(KuduCondition.or(small, tenth))).isEqualTo(either);
      Set<Long> all = new TreeSet<>();
      for (long i = 0; i < ROWS; i++) {
        all.add(2 * i);
      }
      assertThat(read(tenth.not())).isEqualTo(some(all, id -> !ids.contains(id)));
      assertThat(read(KuduCondition.sample(table.getSchema(), 0, 7))).isEmpty();
      assertThat(read(KuduCondition.sample(table.getSchema(), 1, 7))).isEqualTo(all);
      assertThat(read(KuduCondition.sample(table.getSchema(), 0.2, 7))).containsAll(ids);
      Set<Long> otherSeed = read(KuduCondition.sample(table.getSchema(), 0.1, 8));
      assertThat(some(otherSeed, ids::contains)).hasSizeLessThan(ROWS / 40);
    }

    private void verifyRanges() throws KuduException {
      List<ColumnSchema> key = table.getSchema().getPrimaryKeyColumns();
      Set<Long> all = new TreeSet<>();
      int rows = 0;
      double[] bounds = {0, 0.05, 1 / 3.0, 0.9, 1};
      for (int i = 1; i < bounds.length; i++) {
        Set<Long> part = read(KuduCondition.sample(key, bounds[i - 1], bounds[i], 11));
        rows += part.size();
        all.addAll(part);
      }
      assertThat(rows).isEqualTo(ROWS);
      assertThat(all).hasSize(ROWS);
    }

    /** A sample by the host has all rows of some hosts. */
    private void verifyHosts() throws KuduException {
      Set<Long> ids = read(KuduCondition.sample(List.of(column("host")), 0, 0.5, 1));
      Set<Long> hosts = new TreeSet<>();
      ids.forEach(id -> hosts.add(id / 2 % HOSTS));
      assertThat(hosts).hasSizeBetween(5, 45);
      assertThat(ids).hasSize(hosts.size() * ROWS / HOSTS);
      Set<Long> byValue = read(KuduCondition.sample(List.of(column("value")), 0, 0.5, 2));
      Set<Long> others = read(KuduCondition.sample(List.of(column("value")), 0, 0.5, 2).not());
      assertThat(byValue.size() + others.size()).isEqualTo(ROWS); // also those of NULL
      assertThat(some(byValue, others::contains)).isEmpty();
    }

    private void verifyOtherReads(KuduCondition tenth, Set<Long> ids) throws Exception {
      KuduScanner.KuduScannerBuilder rowsOnly = scan(tenth).setProjectedColumnNames(List.of());
      long rows = 0;
      KuduScanner counted = rowsOnly.build();
      while (counted.hasMoreRows()) {
        rows += counted.nextRows().getNumRows();
      }
      assertThat(rows).isEqualTo(ids.size());

      Set<Long> ofTokens = new TreeSet<>();
      for (KuduScanToken token : client.newScanTokenBuilder(table).sample(0.1, 7).build()) {
        for (RowResult row : KuduScanToken.deserializeIntoScanner(token.serialize(), client)) {
          assertThat(ofTokens.add(row.getLong("id"))).isTrue();
        }
      }
      assertThat(ofTokens).isEqualTo(ids);

      KuduAggregate query =
          table
              .aggregate()
              .sample(0.1, 7)
              .count("rows")
              .sum("ids", "id")
              .count("half")
              .filter(KuduCondition.sample(table.getSchema(), 0.05, 7))
              .build();
      RowResult aggregates = query.execute().next();
      assertThat(aggregates.getLong("rows")).isEqualTo(ids.size());
      assertThat(aggregates.getLong("ids"))
          .isEqualTo(ids.stream().mapToLong(Long::longValue).sum());
      assertThat(aggregates.getLong("half"))
          .isEqualTo(read(KuduCondition.sample(table.getSchema(), 0.05, 7)).size());

      Set<Long> first = ids(scan(tenth).orderBy("id", false).limit(5));
      assertThat(first).isEqualTo(new TreeSet<>(ids.stream().skip(ids.size() - 5).toList()));
    }
  }
}
