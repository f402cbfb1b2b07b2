package dev.kudu4j.benchmarks.lookups;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.benchmarks.cluster.Poll;
import dev.kudu4j.common.proto.common.ColumnSchemaPB;
import dev.kudu4j.common.proto.common.DataType;
import dev.kudu4j.common.proto.common.PartitionSchemaPB;
import dev.kudu4j.common.proto.common.SchemaPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB.Role;
import dev.kudu4j.common.proto.master.ConnectToMasterRequestPB;
import dev.kudu4j.common.proto.master.ConnectToMasterResponsePB;
import dev.kudu4j.common.proto.master.CreateTableRequestPB;
import dev.kudu4j.common.proto.master.CreateTableResponsePB;
import dev.kudu4j.common.proto.master.GetTableLocationsRequestPB;
import dev.kudu4j.common.proto.master.GetTableLocationsResponsePB;
import dev.kudu4j.common.proto.master.IsCreateTableDoneRequestPB;
import dev.kudu4j.common.proto.master.IsCreateTableDoneResponsePB;
import dev.kudu4j.common.proto.master.MasterFeatures;
import dev.kudu4j.common.proto.master.TableIdentifierPB;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcClientOptions;
import dev.kudu4j.common.rpc.RpcResponse;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.HdrHistogram.Histogram;

/** Fills one master's catalog and requests locations of tablets, one request at a time. */
final class LookupRun implements AutoCloseable {
  private static final String MASTER = "kudu.master.MasterService";
  private static final int SERVERS = 3;
  private static final int POINT_LOOKUP_LIMIT = 10; // the limit that clients send
  private static final int PATIENCE_MILLIS = 120_000;
  private static final long LONGEST_NANOS = 60_000_000_000L;

  private final InetSocketAddress master;
  private final int tables;
  private final int tabletsPerTable;
  private final RpcClient client = new RpcClient(RpcClientOptions.defaults());
  private final SimulatedServers servers;
  private final List<ByteString> tableIds = new ArrayList<>();

  LookupRun(HeartbeatDialect dialect, InetSocketAddress master, int tables, int tabletsPerTable) {
    this.master = master;
    this.tables = tables;
    this.tabletsPerTable = tabletsPerTable;
    this.servers = new SimulatedServers(dialect, master, SERVERS, client);
  }

  /** Creates the tables, and waits until every tablet has a leader. */
  void fill(Consumer<String> progress) {
    Poll.until("the master leads", PATIENCE_MILLIS, 20, this::leads);
    servers.start();
    for (int i = 0; i < tables; i++) {
      tableIds.add(create("table-" + i));
    }
    for (ByteString table : tableIds) {
      Poll.until("all tablets have leaders", PATIENCE_MILLIS, 5, () -> isCreated(table));
    }
    progress.accept(servers.replicaCount() + " replicas are reported");
  }

  private boolean leads() {
    try {
      return call(
                  "ConnectToMaster",
                  ConnectToMasterRequestPB.getDefaultInstance(),
                  ConnectToMasterResponsePB.parser(),
                  MasterFeatures.CONNECT_TO_MASTER_VALUE)
              .getRole()
          == Role.LEADER;
    } catch (CompletionException notYet) {
      return false;
    }
  }

  private ByteString create(String name) {
    CreateTableRequestPB request =
        CreateTableRequestPB.newBuilder()
            .setName(name)
            .setNumReplicas(SERVERS)
            .setSchema(
                SchemaPB.newBuilder()
                    .addColumns(
                        ColumnSchemaPB.newBuilder()
                            .setName("k")
                            .setType(DataType.INT64)
                            .setIsKey(true))
                    .addColumns(ColumnSchemaPB.newBuilder().setName("v").setType(DataType.STRING)))
            .setPartitionSchema(
                PartitionSchemaPB.newBuilder()
                    .addHashSchema(
                        PartitionSchemaPB.HashBucketSchemaPB.newBuilder()
                            .addColumns(
                                PartitionSchemaPB.ColumnIdentifierPB.newBuilder().setName("k"))
                            .setNumBuckets(tabletsPerTable))
                    .setRangeSchema(PartitionSchemaPB.RangeSchemaPB.getDefaultInstance()))
            .build();
    CreateTableResponsePB answer = call("CreateTable", request, CreateTableResponsePB.parser());
    if (answer.hasError()) {
      throw new IllegalStateException("CreateTable failed: " + answer.getError());
    }
    return answer.getTableId();
  }

  private boolean isCreated(ByteString table) {
    return call(
            "IsCreateTableDone",
            IsCreateTableDoneRequestPB.newBuilder().setTable(withId(table)).build(),
            IsCreateTableDoneResponsePB.parser())
        .getDone();
  }

  private static TableIdentifierPB withId(ByteString table) {
    return TableIdentifierPB.newBuilder().setTableId(table).build();
  }

  /**
   * Requests the location of a random key's tablet {@code lookups} times; returns the latencies in
   * nanoseconds.
   */
  Histogram measure(int lookups, RandomGenerator random) {
    Histogram nanos = new Histogram(LONGEST_NANOS, 3);
    for (int i = 0; i < lookups; i++) {
      ByteString table = tableIds.get(random.nextInt(tableIds.size()));
      int bucket = random.nextInt(tabletsPerTable);
      GetTableLocationsRequestPB request =
          GetTableLocationsRequestPB.newBuilder()
              .setTable(withId(table))
              .setPartitionKeyStart(ByteString.copyFrom(ByteBuffer.allocate(4).putInt(0, bucket)))
              .setMaxReturnedLocations(POINT_LOOKUP_LIMIT)
              .setInternTsInfosInResponse(true)
              .build();
      long start = System.nanoTime();
      GetTableLocationsResponsePB answer =
          call("GetTableLocations", request, GetTableLocationsResponsePB.parser());
      nanos.recordValue(System.nanoTime() - start);
      if (answer.hasError() || answer.getTabletLocationsCount() == 0) {
        throw new IllegalStateException("A look-up failed: " + answer.getError());
      }
    }
    return nanos;
  }

  private <R extends Message> R call(
      String method, Message request, Parser<R> parser, Integer... features) {
    RpcCallOptions options = RpcCallOptions.timeoutMillis(PATIENCE_MILLIS);
    for (int feature : features) {
      options = options.withFeatures(feature);
    }
    try (RpcResponse<R> response =
        client.call(master, MASTER, method, request, parser, options).join()) {
      return response.message();
    }
  }

  @Override
  public void close() {
    servers.close();
    client.close();
  }
}
