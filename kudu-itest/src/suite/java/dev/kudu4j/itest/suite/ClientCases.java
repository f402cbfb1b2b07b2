package dev.kudu4j.itest.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduPartitioner;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.LocatedTablet;
import dev.kudu4j.client.RangePartition;
import dev.kudu4j.client.RangePartitionBound;
import dev.kudu4j.client.Statistics.Statistic;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The state of the client itself: its cluster, its identity and its counters. */
@SuppressWarnings("deprecation") // getTabletsLocations, in the published client
abstract class ClientCases extends ClientCase {
  private static final int TIMEOUT_MILLIS = 60_000;

  @Test
  void theLeadingMasterIsFound() throws Exception {
    assertThat(client.findLeaderMasterServer().getPort()).isEqualTo(cluster.master().port());
  }

  @Test
  void theClusterHasAnId() throws Exception {
    client.getTablesList();
    try (KuduClient other = new KuduClient.KuduClientBuilder(cluster.masters()).build()) {
      other.getTablesList();
      assertThat(client.getClusterId()).hasSize(32).isEqualTo(other.getClusterId());
    }
  }

  @Test
  void authenticationCredentialsAreTransferredBetweenClients() throws Exception {
    byte[] identity = client.exportAuthenticationCredentials();
    try (KuduClient other = new KuduClient.KuduClientBuilder(cluster.masters()).build()) {
      other.importAuthenticationCredentials(identity);
      create(keyAndValue(), oneTablet());
      assertThat(other.tableExists(tableName)).isTrue();
    }
  }

  @Test
  void theServersSupportIgnoreOperations() throws Exception {
    assertThat(client.supportsIgnoreOperations()).isTrue();
  }

  @Test
  void theClientCountsItsWrites() throws Exception {
    KuduTable table = createWith(rows(0, 10));
    assertThat(client.isStatisticsEnabled()).isTrue();
    eventually("ten writes are counted")
        .until(
            () -> client.getStatistics().getTableStatistic(tableName, Statistic.WRITE_OPS) == 10);
    assertThat(client.getStatistics().getTableSet()).contains(tableName);
    assertThat(client.getStatistics().getTabletSet())
        .contains(tabletId(table.getTabletsLocations(TIMEOUT_MILLIS).get(0)));
    try (KuduClient silent =
        new KuduClient.KuduClientBuilder(cluster.masters()).disableStatistics().build()) {
      assertThat(silent.isStatisticsEnabled()).isFalse();
      assertThatThrownBy(silent::getStatistics).isInstanceOf(IllegalStateException.class);
    }
  }

  private static String tabletId(LocatedTablet tablet) {
    return new String(tablet.getTabletId(), StandardCharsets.UTF_8);
  }

  @Test
  void scannersAreKeptAliveWhileTheirReaderPauses() throws Exception {
    KuduTable table = createWith(rows(0, 5_000));
    KuduScanner scanner = client.newScannerBuilder(table).batchSizeBytes(400).build();
    int rows = scanner.nextRows().getNumRows();
    scanner.startKeepAlivePeriodically(10);
    while (scanner.hasMoreRows()) {
      rows += scanner.nextRows().getNumRows();
    }
    scanner.stopKeepAlivePeriodically();
    assertThat(rows).isEqualTo(5_000);
  }

  @Test
  void thePartitionerReturnsItsTablets() throws Exception {
    KuduTable table = create(keyAndValue(), twoTablets());
    assertThat(new KuduPartitioner.KuduPartitionerBuilder(table).build().getTabletMap().keySet())
        .containsExactlyInAnyOrderElementsOf(
            table.getTabletsLocations(TIMEOUT_MILLIS).stream().map(ClientCases::tabletId).toList());
  }

  @Test
  void rangesReturnTheirBounds() throws Exception {
    RangePartition range =
        new RangePartition(
            row(keyAndValue(), "k", 1),
            row(keyAndValue(), "k", 5),
            RangePartitionBound.INCLUSIVE_BOUND,
            RangePartitionBound.EXCLUSIVE_BOUND);
    assertThat(range.getLowerBound().getInt("k")).isEqualTo(1);
    assertThat(range.getUpperBound().getInt("k")).isEqualTo(5);
    assertThat(range.getLowerBoundType()).isEqualTo(RangePartitionBound.INCLUSIVE_BOUND);
    assertThat(range.getUpperBoundType()).isEqualTo(RangePartitionBound.EXCLUSIVE_BOUND);
    KuduTable table =
        create(
            keyAndValue(),
            options()
                .setRangePartitionColumns(List.of("k"))
                .addRangePartition(range.getLowerBound(), range.getUpperBound()));
    assertThat(table.getRangePartitionsWithTableHashSchema(TIMEOUT_MILLIS)).hasSize(1);
    assertThat(table.getFormattedRangePartitions(TIMEOUT_MILLIS))
        .containsExactly("1 <= VALUES < 5");
  }

  @Test
  void tabletsMayHaveDimensionLabels() throws Exception {
    KuduTable table = create(keyAndValue(), oneTablet().setDimensionLabel("east"));
    assertThat(table.getTabletsLocations(TIMEOUT_MILLIS).get(0).getLeaderReplica())
        .satisfies(replica -> assertThat(replica.getDimensionLabel()).isEqualTo("east"));
  }
}
