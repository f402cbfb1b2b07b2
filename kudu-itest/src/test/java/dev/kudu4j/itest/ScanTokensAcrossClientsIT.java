package dev.kudu4j.itest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.embedded.EmbeddedCluster;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scan tokens that one client creates and another one reads. */
class ScanTokensAcrossClientsIT {
  private static final int ROWS = 2_000;
  private static final int WANTED = 1_500;

  private static EmbeddedCluster cluster;
  private static KuduClient ours;
  private static org.apache.kudu.client.KuduClient published;

  @BeforeAll
  static void load() throws Exception {
    cluster = EmbeddedCluster.builder().tabletServers(1).start();
    ours = new KuduClient.KuduClientBuilder(cluster.masterAddresses()).build();
    published =
        new org.apache.kudu.client.KuduClient.KuduClientBuilder(cluster.masterAddresses()).build();
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchemaBuilder("k", Type.INT32).key(true).build(),
                new ColumnSchemaBuilder("s", Type.STRING).nullable(true).build()));
    KuduTable table =
        ours.createTable(
            "tokens",
            schema,
            new CreateTableOptions().addHashPartitions(List.of("k"), 3).setNumReplicas(1));
    KuduSession session = ours.newSession();
    session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
    for (int i = 0; i < ROWS; i++) {
      Insert insert = table.newInsert();
      insert.getRow().addInt("k", i);
      insert.getRow().addString("s", "row " + i);
      session.apply(insert);
    }
    session.close();
    assertThat(session.countPendingErrors()).isZero();
  }

  @AfterAll
  static void close() throws Exception {
    published.close();
    ours.close();
    cluster.close();
  }

  @ParameterizedTest(name = "described {0}, fault tolerant {1}")
  @CsvSource({"true,false", "false,false", "true,true", "false,true"})
  void thePublishedClientReadsOurTokens(boolean described, boolean faultTolerant) throws Exception {
    KuduTable table = ours.openTable("tokens");
    List<KuduScanToken> tokens =
        ours.newScanTokenBuilder(table)
            .setProjectedColumnNames(List.of("s", "k"))
            .addPredicate(
                KuduPredicate.newComparisonPredicate(
                    table.getSchema().getColumn("k"), KuduPredicate.ComparisonOp.LESS, WANTED))
            .setFaultTolerant(faultTolerant)
            .includeTableMetadata(described)
            .includeTabletMetadata(described)
            .build();
    assertThat(tokens).hasSize(3);
    TreeSet<Integer> keys = new TreeSet<>();
    for (KuduScanToken token : tokens) {
      byte[] bytes = token.serialize();
      for (var row :
          org.apache.kudu.client.KuduScanToken.deserializeIntoScanner(bytes, published)) {
        assertThat(keys.add(row.getInt("k"))).isTrue();
        assertThat(row.getString(0)).isEqualTo("row " + row.getInt(1));
      }
    }
    assertThat(keys).containsExactlyElementsOf(wanted());
  }

  @ParameterizedTest(name = "described {0}, fault tolerant {1}")
  @CsvSource({"true,false", "false,false", "true,true", "false,true"})
  void ourClientReadsTokensOfThePublishedClient(boolean described, boolean faultTolerant)
      throws Exception {
    org.apache.kudu.client.KuduTable table = published.openTable("tokens");
    var tokens =
        published
            .newScanTokenBuilder(table)
            .setProjectedColumnNames(List.of("s", "k"))
            .addPredicate(
                org.apache.kudu.client.KuduPredicate.newComparisonPredicate(
                    table.getSchema().getColumn("k"),
                    org.apache.kudu.client.KuduPredicate.ComparisonOp.LESS,
                    WANTED))
            .setFaultTolerant(faultTolerant)
            .includeTableMetadata(described)
            .includeTabletMetadata(described)
            .build();
    assertThat(tokens).hasSize(3);
    TreeSet<Integer> keys = new TreeSet<>();
    for (var token : tokens) {
      for (RowResult row : KuduScanToken.deserializeIntoScanner(token.serialize(), ours)) {
        assertThat(keys.add(row.getInt("k"))).isTrue();
        assertThat(row.getString(0)).isEqualTo("row " + row.getInt(1));
      }
    }
    assertThat(keys).containsExactlyElementsOf(wanted());
  }

  private static List<Integer> wanted() {
    return IntStream.range(0, WANTED).boxed().toList();
  }
}
