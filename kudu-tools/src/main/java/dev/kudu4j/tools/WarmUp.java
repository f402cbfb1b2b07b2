package dev.kudu4j.tools;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.proto.common.ColumnSchemaPB;
import dev.kudu4j.common.proto.common.DataType;
import dev.kudu4j.common.proto.common.SchemaPB;
import dev.kudu4j.common.proto.master.CreateTableRequestPB;
import dev.kudu4j.common.proto.master.CreateTableResponsePB;
import dev.kudu4j.common.proto.master.IsCreateTableDoneRequestPB;
import dev.kudu4j.common.proto.master.IsCreateTableDoneResponsePB;
import dev.kudu4j.common.proto.master.ListTabletServersRequestPB;
import dev.kudu4j.common.proto.master.ListTabletServersResponsePB;
import dev.kudu4j.common.proto.master.TableIdentifierPB;
import dev.kudu4j.common.proto.server.GetStatusRequestPB;
import dev.kudu4j.common.proto.server.GetStatusResponsePB;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcClientOptions;
import dev.kudu4j.common.rpc.RpcResponse;
import dev.kudu4j.master.Master;
import dev.kudu4j.master.MasterOptions;
import dev.kudu4j.server.flags.FlagParser;
import dev.kudu4j.server.flags.Flags;
import dev.kudu4j.server.flags.OptionSet;
import dev.kudu4j.server.process.ServerProcess;
import dev.kudu4j.tablet.env.LocalFileStore;
import dev.kudu4j.tserver.TabletServer;
import dev.kudu4j.tserver.TabletServerOptions;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A master and a tablet server that live for a second in a temporary directory and make one table,
 * so that the classes of a start have been loaded. {@code bin/kudu} runs this with {@code
 * -XX:ArchiveClassesAtExit}; later starts map those classes instead of parsing them.
 */
public final class WarmUp implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 60_000;
  private static final String GENERIC = "kudu.server.GenericService";
  private static final String MASTER = "kudu.master.MasterService";
  private static final String TABLE = "warm_up";

  private final RpcClient client = new RpcClient(RpcClientOptions.defaults());

  private WarmUp() {}

  /** Exits with 0 when everything was reached. */
  public static void main(String[] arguments) throws Exception {
    Kudu.logAsDaemon();
    Path directory = Files.createTempDirectory("kudu-warm-up");
    try (WarmUp warmUp = new WarmUp()) {
      warmUp.run(directory);
    } finally {
      new LocalFileStore().deleteTree(directory);
    }
    System.exit(0); // at once, whatever pool still idles
  }

  private void run(Path directory) throws Exception {
    try (Master master = Master.start(flags(MasterOptions.all(), directory.resolve("master")))) {
      master.opened().get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
      InetSocketAddress address = address(master.process());
      Flags flags =
          flags(
              TabletServerOptions.all(),
              directory.resolve("tserver"),
              "--tserver_master_addrs=127.0.0.1:" + address.getPort());
      try (TabletServer server = TabletServer.start(flags)) {
        status(address);
        status(address(server.process()));
        master.process().webStarted().get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        server.process().webStarted().get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        createTable(address);
      }
    }
  }

  private static Flags flags(OptionSet options, Path directory, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--fs_wal_dir=" + directory,
                "--rpc_bind_addresses=127.0.0.1:0",
                "--webserver_interface=127.0.0.1",
                "--webserver_port=0"));
    arguments.addAll(List.of(more));
    return FlagParser.parse(options, arguments);
  }

  private static InetSocketAddress address(ServerProcess process) {
    return process.identity().rpcAddresses().get(0).resolve();
  }

  private void status(InetSocketAddress address) throws Exception {
    call(
        address,
        GENERIC,
        "GetStatus",
        GetStatusRequestPB.getDefaultInstance(),
        GetStatusResponsePB.parser());
  }

  private void createTable(InetSocketAddress master) throws Exception {
    until(
        master,
        "ListTabletServers",
        ListTabletServersRequestPB.getDefaultInstance(),
        ListTabletServersResponsePB.parser(),
        servers -> servers.getServersCount() > 0);
    SchemaPB.Builder schema = SchemaPB.newBuilder();
    schema.addColumns(
        ColumnSchemaPB.newBuilder().setName("key").setType(DataType.INT64).setIsKey(true));
    schema.addColumns(
        ColumnSchemaPB.newBuilder().setName("value").setType(DataType.STRING).setIsNullable(true));
    call(
        master,
        MASTER,
        "CreateTable",
        CreateTableRequestPB.newBuilder()
            .setName(TABLE)
            .setSchema(schema)
            .setNumReplicas(1)
            .build(),
        CreateTableResponsePB.parser());
    until(
        master,
        "IsCreateTableDone",
        IsCreateTableDoneRequestPB.newBuilder()
            .setTable(TableIdentifierPB.newBuilder().setTableName(TABLE))
            .build(),
        IsCreateTableDoneResponsePB.parser(),
        IsCreateTableDoneResponsePB::getDone);
  }

  private <R extends Message> void until(
      InetSocketAddress address,
      String method,
      Message request,
      Parser<R> parser,
      Predicate<R> reached)
      throws Exception {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS);
    while (!reached.test(call(address, MASTER, method, request, parser))) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(method + " does not get there");
      }
      Thread.sleep(20);
    }
  }

  private <R extends Message> R call(
      InetSocketAddress address, String service, String method, Message request, Parser<R> parser)
      throws Exception {
    RpcCallOptions options = RpcCallOptions.timeoutMillis(TIMEOUT_MILLIS);
    try (RpcResponse<R> response =
        client.call(address, service, method, request, parser, options).get()) {
      return response.message();
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
