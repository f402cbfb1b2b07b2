package dev.kudu4j.client;

import dev.kudu4j.client.cluster.FakeMaster;
import dev.kudu4j.client.cluster.FakeTabletServer;
import dev.kudu4j.client.scan.FakeScans;
import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.KeyEncoder;
import dev.kudu4j.common.partition.HashDimension;
import dev.kudu4j.common.partition.Partition;
import dev.kudu4j.common.partition.PartitionSchema;
import java.util.List;
import java.util.stream.Stream;

/**
 * A client and a table with the numbers 0 to 599, in two ranges of 300 with three buckets each. A
 * bucket has every third number of its range. Each of two servers leads the tablets of one range
 * and follows those of the other range.
 */
final class BucketedTable implements AutoCloseable {
  static final int ROWS = 600;
  static final int RANGE = 300;
  static final int BUCKETS = 3;
  static final int ADMIN_MILLIS = 1_000;

  private final FakeMaster master = FakeMaster.open();
  private final FakeScans lowScans = new FakeScans(100);
  private final FakeScans highScans = new FakeScans(200);
  private final FakeTabletServer low = FakeTabletServer.open("a").scans(lowScans);
  private final FakeTabletServer high = FakeTabletServer.open("b").scans(highScans);
  private final AsyncKuduClient client;
  private final KuduTable table;

  BucketedTable() {
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      addTablet(bucket, 0, low, high);
      addTablet(bucket, RANGE, high, low);
    }
    client =
        new AsyncKuduClient.AsyncKuduClientBuilder(master.address().toString())
            .defaultOperationTimeoutMs(30_000)
            .defaultAdminOperationTimeoutMs(ADMIN_MILLIS)
            .build();
    table =
        NumbersTable.open(
            client,
            new PartitionSchema(
                List.of(new HashDimension(List.of(0), BUCKETS, 0)), List.of(0), List.of()));
  }

  private void addTablet(int bucket, int from, FakeTabletServer... servers) {
    String id = from + "/" + bucket;
    lowScans.tablet(id, from + bucket, from + RANGE, BUCKETS);
    highScans.tablet(id, from + bucket, from + RANGE, BUCKETS);
    master.addTablet(
        id,
        new Partition(new int[] {bucket}, key(bucket, from), key(bucket, from + RANGE)),
        servers);
  }

  private static byte[] key(int bucket, int number) {
    KeyBuffer key = new KeyBuffer();
    KeyEncoder.appendUnsignedInt(bucket, key);
    KeyEncoder.appendInt(number, key);
    return key.toByteArray();
  }

  KuduClient client() {
    return client.syncClient();
  }

  KuduTable table() {
    return table;
  }

  /** The server that leads the tablets of the low range. */
  FakeTabletServer low() {
    return low;
  }

  FakeTabletServer high() {
    return high;
  }

  FakeScans lowScans() {
    return lowScans;
  }

  FakeScans highScans() {
    return highScans;
  }

  int openScanners() {
    return lowScans.openScanners() + highScans.openScanners();
  }

  /** The number of batches that were requested. */
  int batches() {
    return (int)
        Stream.concat(lowScans.requests().stream(), highScans.requests().stream())
            .filter(request -> !request.getCloseScanner())
            .count();
  }

  @Override
  public void close() {
    client.close();
    low.close();
    high.close();
    master.close();
  }
}
