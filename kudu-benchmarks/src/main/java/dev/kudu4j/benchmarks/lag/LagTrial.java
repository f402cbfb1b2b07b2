package dev.kudu4j.benchmarks.lag;

import com.google.protobuf.ByteString;
import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.benchmarks.lag.LagCommand.FollowerLag;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.LocatedTablet;
import dev.kudu4j.common.proto.common.ColumnPredicatePB;
import dev.kudu4j.common.proto.common.ReadMode;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import dev.kudu4j.common.proto.tserver.ScanRequestPB;
import dev.kudu4j.common.proto.tserver.ScanResponsePB;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcClientOptions;
import dev.kudu4j.common.rpc.RpcResponse;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.HdrHistogram.Histogram;

/** A table of one tablet with a replica on each server. After each write, a follower is scanned. */
final class LagTrial implements AutoCloseable {
  private static final String TABLE = "lag";
  private static final String KEY = "k";
  private static final int TIMEOUT_MILLIS = 60_000;
  private static final long LONGEST_NANOS = 60_000_000_000L;

  private final KuduClient client;
  private final RpcClient rpc = new RpcClient(RpcClientOptions.defaults());
  private final KuduTable table;
  private final ByteString tabletId;
  private final List<InetSocketAddress> followers;
  private long next;

  LagTrial(String masters, int replicas) throws Exception {
    client = new KuduClient.KuduClientBuilder(masters).build();
    Schema schema =
        new Schema(
            List.of(new ColumnSchema.ColumnSchemaBuilder(KEY, Type.INT64).key(true).build()));
    table =
        client.createTable(
            TABLE,
            schema,
            new CreateTableOptions().setRangePartitionColumns(List.of()).setNumReplicas(replicas));
    LocatedTablet tablet = table.getTabletsLocations(TIMEOUT_MILLIS).get(0);
    tabletId = ByteString.copyFrom(tablet.getTabletId());
    LocatedTablet.Replica leader = tablet.getLeaderReplica();
    followers =
        tablet.getReplicas().stream()
            .filter(replica -> !replica.getRpcPort().equals(leader.getRpcPort()))
            .map(replica -> new InetSocketAddress(replica.getRpcHost(), replica.getRpcPort()))
            .toList();
  }

  /** Inserts rows. After each insert, scans one of the followers until it returns the row. */
  FollowerLag run(int rows) throws KuduException {
    Histogram nanos = new Histogram(LONGEST_NANOS, 3);
    int missed = 0;
    KuduSession session = client.newSession();
    try {
      for (int i = 0; i < rows; i++) {
        long key = next++;
        Insert insert = table.newInsert();
        insert.getRow().addLong(0, key);
        if (session.apply(insert).hasRowError()) {
          throw new IllegalStateException("The server rejected row " + key);
        }
        long acknowledged = System.nanoTime();
        long started = awaitRow(followers.get(i % followers.size()), key, acknowledged);
        nanos.recordValue(started - acknowledged);
        missed += started == acknowledged ? 0 : 1;
      }
    } finally {
      session.close();
    }
    return new FollowerLag(missed, nanos);
  }

  /**
   * Scans until the row is visible; returns the start time of the scan that returned it, or {@code
   * first} if that was the first scan.
   */
  private long awaitRow(InetSocketAddress follower, long key, long first) {
    long started = first;
    while (!returnsRow(follower, key)) {
      started = System.nanoTime();
    }
    return started;
  }

  private boolean returnsRow(InetSocketAddress server, long key) {
    ByteBuffer cell = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    ScanRequestPB request =
        ScanRequestPB.newBuilder()
            .setNewScanRequest(
                NewScanRequestPB.newBuilder()
                    .setTabletId(tabletId)
                    .setReadMode(ReadMode.READ_LATEST)
                    .addColumnPredicates(
                        ColumnPredicatePB.newBuilder()
                            .setColumn(KEY)
                            .setEquality(
                                ColumnPredicatePB.Equality.newBuilder()
                                    .setValue(ByteString.copyFrom(cell.putLong(0, key))))))
            .setCallSeqId(0)
            .setBatchSizeBytes(1 << 20)
            .build();
    try (RpcResponse<ScanResponsePB> response =
        rpc.call(
                server,
                "kudu.tserver.TabletServerService",
                "Scan",
                request,
                ScanResponsePB.parser(),
                RpcCallOptions.timeoutMillis(TIMEOUT_MILLIS))
            .join()) {
      if (response.message().hasError()) {
        throw new IllegalStateException("A scan failed: " + response.message().getError());
      }
      return response.message().getData().getNumRows() > 0;
    }
  }

  @Override
  public void close() throws KuduException {
    try (client) {
      rpc.close();
    }
  }
}
