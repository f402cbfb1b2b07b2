package dev.kudu4j.itest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.ArrowScanner;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.embedded.EmbeddedCluster;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.TimeStampMicroTZVector;
import org.apache.arrow.vector.TimeStampMicroVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.kudu.client.PartialRow;
import org.junit.jupiter.api.Test;

/**
 * A column without time zone keeps this attribute whatever a published client does to its table,
 * and a published client reads and writes its date-times as UTC.
 */
class TimestampsWithoutTimeZoneIT {
  private static final String TABLE = "local_times";
  private static final Instant TIME = Instant.parse("2024-03-10T02:30:00.123456Z");

  @Test
  void publishedClientsKeepTheAttribute() throws Exception {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().tabletServers(1).start();
        KuduClient ours = new KuduClient.KuduClientBuilder(cluster.masterAddresses()).build();
        org.apache.kudu.client.KuduClient published =
            new org.apache.kudu.client.KuduClient.KuduClientBuilder(cluster.masterAddresses())
                .build()) {
      create(ours);
      write(published);
      alter(published);

      assertThat(column(ours, "renamed").isWithoutTimeZone()).isTrue();
      assertThat(column(ours, "renamed").getComment()).isEqualTo("when");
      assertThat(column(ours, "id").isWithoutTimeZone()).isFalse();
      assertThat(column(ours, "zoned").isWithoutTimeZone()).isFalse();
      assertThat(column(ours, "added").isWithoutTimeZone()).isTrue();
      assertThat(times(ours)).containsExactly(Timestamp.from(TIME));
      checkVectors(ours);

      cluster.stopMaster(0);
      cluster.startMaster(0);
      cluster.stopTabletServer(0);
      cluster.startTabletServer(0);
      assertThat(column(ours, "renamed").isWithoutTimeZone()).isTrue();
      assertThat(times(ours)).containsExactly(Timestamp.from(TIME));
    }
  }

  private static void create(KuduClient ours) throws Exception {
    ours.createTable(
        TABLE,
        new Schema(
            List.of(
                new ColumnSchemaBuilder("id", Type.INT32).key(true).build(),
                new ColumnSchemaBuilder("local", Type.UNIXTIME_MICROS)
                    .withoutTimeZone(true)
                    .nullable(true)
                    .build(),
                new ColumnSchemaBuilder("zoned", Type.UNIXTIME_MICROS).nullable(true).build())),
        new CreateTableOptions().addHashPartitions(List.of("id"), 2).setNumReplicas(1));
    ours.alterTable(
        TABLE,
        new AlterTableOptions()
            .addColumn(
                new ColumnSchemaBuilder("added", Type.UNIXTIME_MICROS)
                    .withoutTimeZone(true)
                    .nullable(true)
                    .build()));
  }

  private static void write(org.apache.kudu.client.KuduClient published) throws Exception {
    org.apache.kudu.client.KuduTable table = published.openTable(TABLE);
    org.apache.kudu.ColumnSchema local = table.getSchema().getColumn("local");
    assertThat(local.getType()).isEqualTo(org.apache.kudu.Type.UNIXTIME_MICROS);
    assertThat(local.getTypeAttributes()).isNull();
    org.apache.kudu.client.Insert insert = table.newInsert();
    PartialRow row = insert.getRow();
    row.addInt("id", 1);
    row.addTimestamp("local", Timestamp.from(TIME));
    org.apache.kudu.client.KuduSession session = published.newSession();
    assertThat(session.apply(insert).hasRowError()).isFalse();
    List<Timestamp> read = new ArrayList<>();
    for (org.apache.kudu.client.RowResult found :
        published.newScannerBuilder(table).setProjectedColumnNames(List.of("local")).build()) {
      read.add(found.getTimestamp(0));
    }
    assertThat(read).containsExactly(Timestamp.from(TIME));
  }

  private static void alter(org.apache.kudu.client.KuduClient published) throws Exception {
    published.alterTable(
        TABLE,
        new org.apache.kudu.client.AlterTableOptions()
            .renameColumn("local", "renamed")
            .addNullableColumn("note", org.apache.kudu.Type.STRING));
    published.alterTable(
        TABLE,
        new org.apache.kudu.client.AlterTableOptions()
            .changeComment("renamed", "when")
            .changeDefault("renamed", 1_000_000L)
            .changeCompressionAlgorithm(
                "renamed", org.apache.kudu.ColumnSchema.CompressionAlgorithm.LZ4));
  }

  private static ColumnSchema column(KuduClient ours, String name) throws Exception {
    return ours.openTable(TABLE).getSchema().getColumn(name);
  }

  private static List<Timestamp> times(KuduClient ours) throws Exception {
    List<Timestamp> times = new ArrayList<>();
    for (RowResult row :
        ours.newScannerBuilder(ours.openTable(TABLE))
            .setProjectedColumnNames(List.of("renamed"))
            .build()) {
      times.add(row.getTimestamp(0));
    }
    return times;
  }

  /** Arrow distinguishes the types as well. */
  private static void checkVectors(KuduClient ours) throws Exception {
    try (RootAllocator allocator = new RootAllocator();
        ArrowScanner scanner =
            ours.newScannerBuilder(ours.openTable(TABLE))
                .setProjectedColumnNames(List.of("renamed", "zoned"))
                .arrow(allocator)) {
      while (scanner.hasMoreBatches()) {
        try (VectorSchemaRoot batch = scanner.nextBatch()) {
          assertThat(batch.getVector("renamed")).isInstanceOf(TimeStampMicroVector.class);
          assertThat(batch.getVector("zoned")).isInstanceOf(TimeStampMicroTZVector.class);
        }
      }
    }
  }
}
