package dev.kudu4j.itest.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.Type;
import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.AsyncKuduScanner.RowDataFormat;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Snapshots, history, diff scans, and the timestamps that a client has seen. */
abstract class SnapshotCases extends ClientCase {
  private static final int LOGICAL_BITS = 12;

  /** The first timestamp at which all writes of this client are visible. */
  private long now() {
    return client.getLastPropagatedTimestamp() + 1;
  }

  private List<String> at(KuduTable table, long timestamp) throws KuduException {
    return scan(
        table,
        builder ->
            builder
                .readMode(ReadMode.READ_AT_SNAPSHOT)
                .snapshotTimestampRaw(timestamp)
                .setFaultTolerant(true));
  }

  @Test
  void aSnapshotHasTheEarlierRows() throws Exception {
    KuduTable table = createWith(rows(2, 4));
    KuduSession session = session(FlushMode.AUTO_FLUSH_SYNC);
    long written = session.apply(op(table.newInsert(), "k", 1, "v", 1)).getWriteTimestampRaw();
    session.close();
    long first = now();
    apply(
        op(table.newUpdate(), "k", 1, "v", 10),
        op(table.newDelete(), "k", 3),
        op(table.newInsert(), "k", 4, "v", 4));
    long second = now();
    for (int round = 0; round < 3; round++) {
      assertThat(at(table, first)).containsExactly("1 1", "2 2", "3 3");
      assertThat(at(table, written)).containsExactly("2 2", "3 3");
      assertThat(at(table, written + 1)).containsExactly("1 1", "2 2", "3 3");
      assertThat(at(table, second)).containsExactly("1 10", "2 2", "4 4");
      cluster.flush();
    }
  }

  @Test
  void everyVersionOfARowIsKept() throws Exception {
    KuduTable table = createWith(new int[] {1, 0});
    List<Long> times = new ArrayList<>(List.of(now()));
    for (int v = 1; v < 8; v++) {
      apply(op(table.newUpdate(), "k", 1, "v", v));
      times.add(now());
      if (v % 3 == 0) {
        cluster.flush();
      }
    }
    for (int v = 0; v < 8; v++) {
      assertThat(at(table, times.get(v))).containsExactly("1 " + v);
    }
  }

  @Test
  void predicatesAreEvaluatedAtTheSnapshot() throws Exception {
    KuduTable table = createWith(rows(0, 10));
    long before = now();
    apply(op(table.newUpdate(), "k", 5, "v", 500));
    KuduPredicate five =
        KuduPredicate.newComparisonPredicate(
            table.getSchema().getColumn("v"), ComparisonOp.EQUAL, 5L);
    for (int round = 0; round < 2; round++) {
      assertThat(
              scan(
                  table,
                  b ->
                      b.readMode(ReadMode.READ_AT_SNAPSHOT)
                          .snapshotTimestampRaw(before)
                          .addPredicate(five)))
          .containsExactly("5 5");
      assertThat(scan(table, b -> b.addPredicate(five))).isEmpty();
      cluster.flush();
    }
  }

  @Test
  void snapshotsMayBeGivenInMicroseconds() throws Exception {
    KuduTable table = createWith(rows(0, 3));
    long micros = (now() >> LOGICAL_BITS) + 1;
    assertThat(
            scan(table, b -> b.readMode(ReadMode.READ_AT_SNAPSHOT).snapshotTimestampMicros(micros)))
        .hasSize(3);
  }

  @Test
  void aSnapshotNeedsNoTimestamp() throws Exception {
    KuduTable table = createWith(rows(0, 3));
    assertThat(scan(table, b -> b.readMode(ReadMode.READ_AT_SNAPSHOT))).hasSize(3);
  }

  @Test
  void ancientSnapshotsAreRefused() throws Exception {
    KuduTable table = createWith(rows(0, 3));
    refused(
        () -> at(table, 1L << 30),
        "Invalid argument",
        "snapshot scan end timestamp is earlier than the ancient history mark");
    refused(
        () -> scan(table, b -> b.diffScan(1L << 30, now())),
        "Invalid argument",
        "snapshot scan start timestamp is earlier than the ancient history mark");
  }

  @Test
  void snapshotsInTheFutureAreRefused() throws Exception {
    KuduTable table = createWith(rows(0, 3));
    long future = now() + (3_600_000_000L << LOGICAL_BITS);
    refused(() -> at(table, future), "Invalid argument", "cannot verify timestamp");
  }

  @Test
  void diffScansReturnTheRowsChangedBetweenTwoTimes() throws Exception {
    KuduTable table = createWith(rows(1, 4));
    long first = now();
    apply(
        op(table.newUpdate(), "k", 1, "v", 10),
        op(table.newDelete(), "k", 3),
        op(table.newInsert(), "k", 4, "v", 4),
        op(table.newInsert(), "k", 5, "v", 5),
        op(table.newDelete(), "k", 5));
    long second = now();
    for (int round = 0; round < 2; round++) {
      assertThat(scan(table, b -> b.diffScan(first, second)))
          .containsExactlyInAnyOrder("1 10 false", "3 3 true", "4 4 false");
      assertThat(scan(table, b -> b.diffScan(second, second + 1))).isEmpty();
      cluster.flush();
    }
  }

  @Test
  void diffScansMarkDeletedRows() throws Exception {
    KuduTable table = createWith(rows(1, 3));
    long before = now();
    apply(op(table.newDelete(), "k", 1), op(table.newUpdate(), "k", 2, "v", 9));
    long after = now();
    for (RowDataFormat format : RowDataFormat.values()) {
      KuduScanner scanner =
          client
              .newScannerBuilder(table)
              .diffScan(before, after)
              .setProjectedColumnNames(List.of("k"))
              .build();
      scanner.setRowDataFormat(format);
      List<String> found = new ArrayList<>();
      while (scanner.hasMoreRows()) {
        for (RowResult row : scanner.nextRows()) {
          assertThat(row.hasIsDeleted()).isTrue();
          found.add(row.getInt("k") + (row.isDeleted() ? " deleted" : " changed"));
        }
      }
      assertThat(found).containsExactlyInAnyOrder("1 deleted", "2 changed");
    }
  }

  @Test
  void readYourWritesReturnsOwnWrites() throws Exception {
    KuduTable table = createWith();
    for (int k = 0; k < 20; k++) {
      apply(op(table.newInsert(), "k", k));
      assertThat(drain(client.newScannerBuilder(table).readMode(ReadMode.READ_YOUR_WRITES).build()))
          .hasSize(k + 1);
    }
  }

  @Test
  void theClientKeepsTheLatestTimestamp() throws Exception {
    KuduTable table = createWith();
    long before = client.getLastPropagatedTimestamp();
    apply(op(table.newInsert(), "k", 1));
    long written = client.getLastPropagatedTimestamp();
    assertThat(written).isGreaterThan(before);
    scan(table);
    assertThat(client.getLastPropagatedTimestamp()).isGreaterThanOrEqualTo(written);
    assertThat(client.hasLastPropagatedTimestamp()).isTrue();
    client.updateLastPropagatedTimestamp(written - 1);
    assertThat(client.getLastPropagatedTimestamp()).isGreaterThanOrEqualTo(written);
  }

  @Test
  void timestampsArePropagatedBetweenClients() throws Exception {
    KuduTable table = createWith();
    try (KuduClient other = new KuduClient.KuduClientBuilder(cluster.masters()).build()) {
      assertThat(other.hasLastPropagatedTimestamp()).isFalse();
      apply(op(table.newInsert(), "k", 1));
      other.updateLastPropagatedTimestamp(client.getLastPropagatedTimestamp());
      assertThat(
              drain(
                  other
                      .newScannerBuilder(other.openTable(tableName))
                      .readMode(ReadMode.READ_AT_SNAPSHOT)
                      .build()))
          .hasSize(1);
      assertThat(other.getLastPropagatedTimestamp())
          .isGreaterThanOrEqualTo(client.getLastPropagatedTimestamp());
    }
  }

  @Test
  void oldSnapshotsHaveTheCurrentColumns() throws Exception {
    KuduTable table = createWith(rows(1, 3));
    long before = now();
    apply(op(table.newDelete(), "k", 2));
    client.alterTable(tableName, alter().addColumn("d", Type.INT64, 42L));
    assertThat(at(client.openTable(tableName), before)).containsExactly("1 1 42", "2 2 42");
  }

  @Test
  void aReinsertedRowHasBothLives() throws Exception {
    KuduTable table = createWith(new int[] {1, 1});
    long first = now();
    apply(op(table.newDelete(), "k", 1));
    long gone = now();
    cluster.flush();
    apply(op(table.newInsert(), "k", 1, "v", 2));
    long second = now();
    for (int round = 0; round < 2; round++) {
      assertThat(at(table, first)).containsExactly("1 1");
      assertThat(at(table, gone)).isEmpty();
      assertThat(at(table, second)).containsExactly("1 2");
      cluster.flush();
    }
  }
}
