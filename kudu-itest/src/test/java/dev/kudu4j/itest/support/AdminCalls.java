package dev.kudu4j.itest.support;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.proto.cluster.FlushTabletRequestPB;
import dev.kudu4j.common.proto.cluster.FlushTabletResponsePB;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.master.GetMasterRegistrationRequestPB;
import dev.kudu4j.common.proto.master.GetMasterRegistrationResponsePB;
import dev.kudu4j.common.proto.master.ListTabletServersRequestPB;
import dev.kudu4j.common.proto.master.ListTabletServersResponsePB;
import dev.kudu4j.common.proto.server.GetStatusRequestPB;
import dev.kudu4j.common.proto.server.GetStatusResponsePB;
import dev.kudu4j.common.proto.server.SetFlagRequestPB;
import dev.kudu4j.common.proto.server.SetFlagResponsePB;
import dev.kudu4j.common.proto.tablet.TabletDataState;
import dev.kudu4j.common.proto.tablet.TabletStatusPB;
import dev.kudu4j.common.proto.tserver.ListTabletsRequestPB;
import dev.kudu4j.common.proto.tserver.ListTabletsResponsePB;
import dev.kudu4j.common.proto.tserver.WriteRequestPB;
import dev.kudu4j.common.proto.tserver.WriteResponsePB;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcClientOptions;
import dev.kudu4j.common.rpc.RpcException;
import dev.kudu4j.common.rpc.RpcResponse;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.wire.RowOperationsWire;
import dev.kudu4j.common.wire.SchemaWire;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;

/**
 * Calls that the published client does not offer, or would never make: flush, ports, and invalid
 * writes.
 */
public final class AdminCalls {
  private static final String TABLET_SERVER = "kudu.tserver.TabletServerService";
  private static final String TABLET_SERVER_ADMIN = "kudu.tserver.TabletServerAdminService";
  private static final String MASTER = "kudu.master.MasterService";
  private static final String GENERIC = "kudu.server.GenericService";

  private AdminCalls() {}

  /** The outcome of a write: the text of an error, or none. */
  public record WriteAnswer(String error) {}

  /** Flushes all tablets of the server to data files. */
  public static void flush(Daemon tabletServer) {
    flush(address(tabletServer));
  }

  /** Flushes all tablets of the server to data files. */
  public static void flush(InetSocketAddress tabletServer) {
    FlushTabletResponsePB answer =
        call(
            tabletServer,
            TABLET_SERVER_ADMIN,
            "FlushTablet",
            FlushTabletRequestPB.getDefaultInstance(),
            FlushTabletResponsePB.parser());
    if (answer.hasError()) {
      throw new AssertionError("Flush failed: " + answer.getError());
    }
  }

  /** Changes a flag of a running server. */
  public static void setFlag(Daemon daemon, String flag, String value) {
    SetFlagResponsePB answer =
        call(
            daemon,
            GENERIC,
            "SetFlag",
            SetFlagRequestPB.newBuilder().setFlag(flag).setValue(value).build(),
            SetFlagResponsePB.parser());
    if (answer.getResult() != SetFlagResponsePB.Code.SUCCESS) {
      throw new AssertionError(daemon.name() + " refuses --" + flag + ": " + answer.getMsg());
    }
  }

  /** The number of replicas on the server, in any state. */
  public static int tabletCount(Daemon tabletServer) {
    return call(
            tabletServer,
            TABLET_SERVER,
            "ListTablets",
            ListTabletsRequestPB.getDefaultInstance(),
            ListTabletsResponsePB.parser())
        .getStatusAndSchemaCount();
  }

  /** The tablets of which the server has a replica, other than a tombstone. */
  public static Set<String> tabletIds(Daemon tabletServer) {
    return call(
            tabletServer,
            TABLET_SERVER,
            "ListTablets",
            ListTabletsRequestPB.getDefaultInstance(),
            ListTabletsResponsePB.parser())
        .getStatusAndSchemaList()
        .stream()
        .map(ListTabletsResponsePB.StatusAndSchemaPB::getTabletStatus)
        .filter(tablet -> tablet.getTabletDataState() != TabletDataState.TABLET_DATA_TOMBSTONED)
        .map(TabletStatusPB::getTabletId)
        .collect(Collectors.toSet());
  }

  /** Whether the master reports that it leads; false while it does not answer. */
  static boolean leads(Daemon master) {
    try {
      return call(
                  master,
                  MASTER,
                  "GetMasterRegistration",
                  GetMasterRegistrationRequestPB.getDefaultInstance(),
                  GetMasterRegistrationResponsePB.parser())
              .getRole()
          == RaftPeerPB.Role.LEADER;
    } catch (RpcException | AssertionError notYet) {
      return false;
    }
  }

  /** Whether the master counts that many live tablet servers; false while it does not answer. */
  static boolean answersLiveTabletServers(Daemon master, int count) {
    try {
      return liveTabletServers(master) == count;
    } catch (RpcException | AssertionError notYet) {
      return false;
    }
  }

  /** The number of tablet servers that are live according to the master. */
  public static int liveTabletServers(Daemon master) {
    return (int)
        tabletServers(master).getServersList().stream()
            .filter(s -> s.getMillisSinceHeartbeat() < 5_000)
            .count();
  }

  /** The number of tablet servers whose web address the master knows. */
  public static int tabletServersWithWebPages(Daemon master) {
    return (int)
        tabletServers(master).getServersList().stream()
            .filter(s -> s.getRegistration().getHttpAddressesCount() > 0)
            .count();
  }

  /** The address of the server's web pages. */
  static HostPortPB webAddress(Daemon daemon) {
    return call(
            daemon,
            GENERIC,
            "GetStatus",
            GetStatusRequestPB.getDefaultInstance(),
            GetStatusResponsePB.parser())
        .getStatus()
        .getBoundHttpAddresses(0);
  }

  private static ListTabletServersResponsePB tabletServers(Daemon master) {
    return call(
        master,
        MASTER,
        "ListTabletServers",
        ListTabletServersRequestPB.getDefaultInstance(),
        ListTabletServersResponsePB.parser());
  }

  /** Every port the two servers listen on: RPC, Raft and web. */
  public static List<Integer> allPorts(LocalCluster cluster) {
    List<Integer> ports = new ArrayList<>();
    for (Daemon daemon : List.of(cluster.master(), cluster.tabletServer())) {
      GetStatusResponsePB status =
          call(
              daemon,
              GENERIC,
              "GetStatus",
              GetStatusRequestPB.getDefaultInstance(),
              GetStatusResponsePB.parser());
      status
          .getStatus()
          .getBoundRpcAddressesList()
          .forEach(address -> ports.add(address.getPort()));
      status
          .getStatus()
          .getBoundHttpAddressesList()
          .forEach(address -> ports.add(address.getPort()));
      if (status.getStatus().hasRaftAddress()) {
        ports.add(status.getStatus().getRaftAddress().getPort());
      }
    }
    return ports;
  }

  /**
   * Inserts a row into the first tablet with a schema that has an additional column, or a column of
   * another type.
   */
  public static WriteAnswer insertWithSchema(LocalCluster cluster, String column, DataType type) {
    List<ColumnSchema> columns = new ArrayList<>();
    columns.add(ColumnSchema.builder("key", DataType.STRING).key(true).build());
    columns.add(ColumnSchema.builder(column, type).build());
    Schema schema = new Schema(columns);
    RowOperationsWriter rows = new RowOperationsWriter(RowLayout.of(schema));
    rows.begin(OperationType.INSERT).setString(0, "wrong").setInt(1, 1).end();
    return write(cluster, schema, rows);
  }

  /** Inserts a NULL into a NOT NULL column that the client believes to be nullable. */
  public static WriteAnswer insertNullNumber(LocalCluster cluster) {
    Schema schema =
        new Schema(
            List.of(
                ColumnSchema.builder("key", DataType.STRING).key(true).build(),
                ColumnSchema.builder("number", DataType.INT64).nullable(true).build()));
    RowOperationsWriter rows = new RowOperationsWriter(RowLayout.of(schema));
    rows.begin(OperationType.INSERT).setString(0, "null").setNull(1).end();
    return write(cluster, schema, rows);
  }

  /** Inserts a row with a schema that lacks the key column. */
  public static WriteAnswer insertWithoutKey(LocalCluster cluster) {
    Schema schema = new Schema(List.of(ColumnSchema.builder("number", DataType.INT64).build()));
    RowOperationsWriter rows = new RowOperationsWriter(RowLayout.of(schema));
    rows.begin(OperationType.INSERT).setLong(0, 1).end();
    return write(cluster, schema, rows);
  }

  private static WriteAnswer write(LocalCluster cluster, Schema schema, RowOperationsWriter rows) {
    ListTabletsResponsePB tablets =
        call(
            cluster.tabletServer(),
            TABLET_SERVER,
            "ListTablets",
            ListTabletsRequestPB.getDefaultInstance(),
            ListTabletsResponsePB.parser());
    WriteRequestPB request =
        WriteRequestPB.newBuilder()
            .setTabletId(
                ByteString.copyFromUtf8(
                    tablets.getStatusAndSchema(0).getTabletStatus().getTabletId()))
            .setSchema(SchemaWire.toWire(schema, false))
            .setRowOperations(RowOperationsWire.toWire(rows))
            .build();
    try {
      WriteResponsePB answer =
          call(cluster.tabletServer(), TABLET_SERVER, "Write", request, WriteResponsePB.parser());
      if (answer.hasError()) {
        return new WriteAnswer(
            answer.getError().getCode() + " " + answer.getError().getStatus().getMessage());
      }
      return new WriteAnswer(
          answer.getPerRowErrorsCount() == 0
              ? ""
              : answer.getPerRowErrors(0).getError().getMessage());
    } catch (RpcException e) {
      return new WriteAnswer(e.describe());
    }
  }

  private static <R extends Message> R call(
      Daemon daemon, String service, String method, Message request, Parser<R> parser) {
    return call(address(daemon), service, method, request, parser);
  }

  private static InetSocketAddress address(Daemon daemon) {
    return new InetSocketAddress(daemon.host(), daemon.port());
  }

  private static <R extends Message> R call(
      InetSocketAddress server, String service, String method, Message request, Parser<R> parser) {
    try (RpcClient client = new RpcClient(RpcClientOptions.defaults());
        RpcResponse<R> response =
            client
                .call(
                    server, service, method, request, parser, RpcCallOptions.timeoutMillis(60_000))
                .get()) {
      return response.message();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RpcException rpc) {
        throw rpc;
      }
      throw new AssertionError(service + "." + method + " failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
