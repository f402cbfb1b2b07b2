package dev.kudu4j.itest.agreement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduPartitioner;
import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.NonCoveredRangeException;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.client.Upsert;
import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.itest.agreement.TwoTables.Condition;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Both clients find the same tablet for a row and the same tablets for predicates, and read the
 * same rows with each other's tokens: 20 random tables, 100,000 rows and 1,000 conjunctions of
 * predicates.
 *
 * <p>Our client may prune more tablets, because it knows that {@code k <= ''} has only one
 * solution; both must read the same rows in any case.
 */
class ClientsAgreeIT {
  private static final int TABLES = Integer.getInteger("agreement.tables", 20);
  private static final int ROWS_OF_TABLE = 5_000;
  private static final int WRITTEN_OF_TABLE = 300;
  private static final int SCANS_OF_TABLE = 50;

  /** Every nth conjunction is read, and not only split into tokens. */
  private static final int READ_EVERY = 7;

  /** The same in every build; nightly runs use another. */
  private static final long SEED = Long.getLong("agreement.seed", 1_611_202);

  private final Random random = new Random(SEED);
  private int rows;
  private int covered;
  private int scans;
  private int pruned;
  private int fewerByOurs;
  private int refused;
  private int read;

  @Test
  void clientsAgreeOnRowsTokensPredicatesAndTimestamps() throws Exception {
    System.out.printf("agreement: -Dagreement.seed=%d%n", SEED);
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().tabletServers(1).start();
        KuduClient ours = new KuduClient.KuduClientBuilder(cluster.masterAddresses()).build();
        org.apache.kudu.client.KuduClient published =
            new org.apache.kudu.client.KuduClient.KuduClientBuilder(cluster.masterAddresses())
                .build()) {
      for (int i = 0; i < TABLES; i++) {
        RandomTable table = new RandomTable(random);
        ours.createTable("t" + i, table.schema(), table.partitioning());
        TwoTables both = new TwoTables(ours, published, "t" + i);
        placeRows(both, table.toString());
        writeRows(ours, both);
        for (int s = 0; s < SCANS_OF_TABLE; s++) {
          scan(both, s % READ_EVERY == 0, table.toString());
        }
        timestampsTravel(cluster.masterAddresses(), ours, published, both);
        ours.deleteTable("t" + i);
      }
    }
    System.out.printf(
        "agreement: %d tables, %d rows (%d in a range), %d scans: %d left tablets out, %d of them"
            + " more than the published client's, which could not plan %d; %d were read%n",
        TABLES, rows, covered, scans, pruned, fewerByOurs, refused, read);
    assertThat(refused).as("scans that were not compared, seed %d", SEED).isLessThan(scans / 4);
    assertThat(covered).as("rows in a range, seed %d", SEED).isGreaterThan(rows / 10);
    assertThat(pruned).as("scans of fewer tablets, seed %d", SEED).isGreaterThan(scans / 10);
  }

  private void placeRows(TwoTables both, String table) throws Exception {
    KuduPartitioner ours = new KuduPartitioner.KuduPartitionerBuilder(both.ourTable()).build();
    org.apache.kudu.client.KuduPartitioner published =
        new org.apache.kudu.client.KuduPartitioner.KuduPartitionerBuilder(both.publishedTable())
            .build();
    assertThat(ours.numPartitions()).as(table).isEqualTo(published.numPartitions());
    for (int i = 0; i < ROWS_OF_TABLE; i++) {
      PartialRow row = both.ourTable().getSchema().newPartialRow();
      org.apache.kudu.client.PartialRow same = both.publishedTable().getSchema().newPartialRow();
      both.fill(row, same, random);
      int place = place(ours, row);
      rows++;
      covered += place >= 0 ? 1 : 0;
      if (place != place(published, same)) {
        assertThat(place).as("%s, row %s", table, same).isEqualTo(place(published, same));
      }
    }
  }

  /** The index of a row's partition; -1 if no range covers it. */
  private static int place(KuduPartitioner partitioner, PartialRow row) {
    try {
      return partitioner.partitionRow(row);
    } catch (NonCoveredRangeException none) {
      return -1;
    }
  }

  private static int place(
      org.apache.kudu.client.KuduPartitioner partitioner, org.apache.kudu.client.PartialRow row) {
    try {
      return partitioner.partitionRow(row);
    } catch (org.apache.kudu.client.NonCoveredRangeException none) {
      return -1;
    } catch (NullPointerException none) {
      return -1; // then the row is beyond the last range
    }
  }

  private void writeRows(KuduClient client, TwoTables both) throws Exception {
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
    for (int i = 0; i < WRITTEN_OF_TABLE; i++) {
      Upsert upsert = both.ourTable().newUpsert();
      both.fill(upsert.getRow(), both.publishedTable().getSchema().newPartialRow(), random);
      session.apply(upsert);
    }
    session.close();
    assertThat(Stream.of(session.getPendingErrors().getRowErrors()))
        .allMatch(error -> error.getErrorStatus().isNotFound()); // no range covers them
  }

  private void scan(TwoTables both, boolean toBeRead, String table) throws Exception {
    List<Condition> conditions = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      conditions.add(both.condition(random));
    }
    String what = table + " where " + conditions.stream().map(Condition::text).toList();
    boolean described = random.nextBoolean();
    List<KuduScanToken> ourTokens = both.ourTokens(conditions, described);
    List<org.apache.kudu.client.KuduScanToken> publishedTokens;
    try {
      publishedTokens = both.publishedTokens(conditions, described);
    } catch (RuntimeException unplanned) { // some ranges with their own hash schema
      assertThat(unplanned).as(what).hasCauseInstanceOf(IllegalStateException.class);
      refused++;
      return;
    }
    List<String> ourTablets =
        ourTokens.stream().map(token -> id(token.getTablet().getTabletId())).toList();
    assertThat(publishedTokens.stream().map(token -> id(token.getTablet().getTabletId())))
        .as(what)
        .filteredOn(ourTablets::contains)
        .isEqualTo(ourTablets);
    boolean fewer = ourTokens.size() < publishedTokens.size();
    scans++;
    fewerByOurs += fewer ? 1 : 0;
    pruned += ourTokens.size() < both.ourTable().getTabletsLocations(60_000).size() ? 1 : 0;
    if (toBeRead || fewer) {
      assertThat(both.readByPublished(ourTokens))
          .as(what)
          .isEqualTo(both.readByOurs(publishedTokens));
      read++;
    }
  }

  private static String id(byte[] tabletId) {
    return new String(tabletId, StandardCharsets.UTF_8);
  }

  /** A token carries the timestamp that its client has seen. */
  private static void timestampsTravel(
      String masters, KuduClient ours, org.apache.kudu.client.KuduClient published, TwoTables both)
      throws Exception {
    byte[] ourToken = both.ourTokens(List.of(), true).get(0).serialize();
    byte[] publishedToken = both.publishedTokens(List.of(), true).get(0).serialize();
    try (org.apache.kudu.client.KuduClient fresh =
            new org.apache.kudu.client.KuduClient.KuduClientBuilder(masters).build();
        KuduClient freshOurs = new KuduClient.KuduClientBuilder(masters).build()) {
      org.apache.kudu.client.KuduScanToken.deserializeIntoScanner(ourToken, fresh).close();
      KuduScanToken.deserializeIntoScanner(publishedToken, freshOurs).close();
      assertThat(fresh.getLastPropagatedTimestamp()).isEqualTo(ours.getLastPropagatedTimestamp());
      assertThat(freshOurs.getLastPropagatedTimestamp())
          .isEqualTo(published.getLastPropagatedTimestamp());
    }
  }
}
