package dev.kudu4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.client.AsyncKuduScanner.RowDataFormat;
import dev.kudu4j.client.cluster.FakeMaster;
import dev.kudu4j.client.cluster.FakeTabletServer;
import dev.kudu4j.client.scan.FakeScans;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import dev.kudu4j.common.proto.tserver.RowFormatFlags;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The row format of responses from a server that supports the columnar layout and from one that
 * does not.
 */
@Timeout(60)
class RowFormatTest {
  private static final byte[] UNBOUNDED = new byte[0];

  private final FakeMaster master = FakeMaster.open();
  private final FakeScans newScans = new FakeScans(1).tablet("low", 0, 25);
  private final FakeScans oldScans = new FakeScans(1).tablet("high", 25, 50);
  private final FakeTabletServer newer = FakeTabletServer.open("newer").scans(newScans);
  private final FakeTabletServer older = FakeTabletServer.openOlder("older").scans(oldScans);
  private final AsyncKuduClient client =
      new AsyncKuduClient.AsyncKuduClientBuilder(master.address().toString()).build();
  private final KuduTable table =
      NumbersTable.open(client, new PartitionSchema(List.of(), List.of(0), List.of()));

  RowFormatTest() {
    byte[] border = FakeScans.key(25).toByteArray();
    master.addTablet("low", UNBOUNDED, border, newer);
    master.addTablet("high", border, UNBOUNDED, older);
  }

  @AfterEach
  void close() {
    client.close();
    newer.close();
    older.close();
    master.close();
  }

  private KuduScanner scan() {
    return client.syncClient().newScannerBuilder(table).build();
  }

  private static int rows(KuduScanner scanner) {
    int rows = 0;
    for (RowResult row : scanner) {
      assertThat(row.getInt(0)).isEqualTo(rows++);
    }
    return rows;
  }

  private static List<Boolean> columnar(FakeScans scans) {
    return scans.openings().stream()
        .map(NewScanRequestPB::getRowFormatFlags)
        .map(flags -> flags == RowFormatFlags.COLUMNAR_LAYOUT_VALUE)
        .toList();
  }

  @Test
  void theColumnarLayoutIsRequestedIfTheServerSupportsIt() {
    assertThat(rows(scan())).isEqualTo(50);
    assertThat(columnar(newScans)).containsExactly(true);
    assertThat(columnar(oldScans)).containsExactly(false); // a rejected request opens no scanner
  }

  @Test
  void rowWiseScansRequestTheRowWiseLayout() {
    KuduScanner scanner = scan();
    scanner.setRowDataFormat(RowDataFormat.ROWWISE);
    assertThat(rows(scanner)).isEqualTo(50);
    assertThat(columnar(newScans)).containsExactly(false);
  }

  @Test
  void columnarScansFailOnServersWithoutTheColumnarLayout() {
    KuduScanner scanner = scan();
    scanner.setRowDataFormat(RowDataFormat.COLUMNAR);
    assertThatThrownBy(() -> rows(scanner))
        .hasCauseInstanceOf(KuduException.class)
        .hasMessageContaining("does not support");
    assertThatThrownBy(this::readVectors)
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("does not support");
  }

  private void readVectors() throws KuduException {
    try (BufferAllocator allocator = new RootAllocator();
        ArrowScanner vectors = scan().arrow(allocator)) {
      while (vectors.hasMoreBatches()) {
        vectors.nextBatch().close();
      }
    }
  }

  @Test
  void lookupsRequestTheRowWiseLayout() throws Exception {
    PartialRow key = table.getSchema().newPartialRow();
    key.addInt("k", 3);
    assertThat(table.get(key)).isPresent();
    assertThat(columnar(newScans)).containsExactly(false);
  }

  @Test
  void aStartedScannerCannotSwitchToArrow() throws Exception {
    KuduScanner scanner = scan();
    scanner.nextRows();
    try (BufferAllocator allocator = new RootAllocator()) {
      assertThatThrownBy(() -> scanner.arrow(allocator)).isInstanceOf(IllegalStateException.class);
    }
  }
}
