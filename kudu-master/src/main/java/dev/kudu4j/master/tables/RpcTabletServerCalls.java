package dev.kudu4j.master.tables;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.proto.cluster.AlterSchemaRequestPB;
import dev.kudu4j.common.proto.cluster.AlterSchemaResponsePB;
import dev.kudu4j.common.proto.cluster.CreateTabletRequestPB;
import dev.kudu4j.common.proto.cluster.CreateTabletResponsePB;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.consensus.ChangeConfigRequestPB;
import dev.kudu4j.common.proto.consensus.ChangeConfigResponsePB;
import dev.kudu4j.common.proto.consensus.LeaderStepDownRequestPB;
import dev.kudu4j.common.proto.consensus.LeaderStepDownResponsePB;
import dev.kudu4j.common.proto.tserver.DeleteTabletRequestPB;
import dev.kudu4j.common.proto.tserver.DeleteTabletResponsePB;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.wire.HostPortWire;
import dev.kudu4j.master.heartbeat.RegisteredServer;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Calls {@code kudu.tserver.TabletServerAdminService} and {@code kudu.consensus.ConsensusService}
 * at the address with which a server has registered.
 */
public final class RpcTabletServerCalls implements TabletServerCalls {
  private static final String ADMIN = "kudu.tserver.TabletServerAdminService";
  private static final String CONSENSUS = "kudu.consensus.ConsensusService";
  private static final RpcCallOptions DISK_WORK = RpcCallOptions.timeout(Duration.ofSeconds(20));

  /**
   * For requests to a leader to apply a schema. The timeout is short, since a leader that hangs is
   * soon replaced.
   */
  private static final RpcCallOptions LOG_WORK = RpcCallOptions.timeout(Duration.ofSeconds(5));

  private final RpcClient client;

  /**
   * @param client borrowed
   */
  public RpcTabletServerCalls(RpcClient client) {
    this.client = client;
  }

  @Override
  public CompletableFuture<CreateTabletResponsePB> createTablet(
      RegisteredServer server, CreateTabletRequestPB request) {
    return call(server, ADMIN, "CreateTablet", request, CreateTabletResponsePB.parser(), DISK_WORK);
  }

  @Override
  public CompletableFuture<AlterSchemaResponsePB> alterSchema(
      RegisteredServer server, AlterSchemaRequestPB request) {
    return call(server, ADMIN, "AlterSchema", request, AlterSchemaResponsePB.parser(), LOG_WORK);
  }

  @Override
  public CompletableFuture<DeleteTabletResponsePB> deleteTablet(
      RegisteredServer server, DeleteTabletRequestPB request) {
    return call(server, ADMIN, "DeleteTablet", request, DeleteTabletResponsePB.parser(), DISK_WORK);
  }

  @Override
  public CompletableFuture<ChangeConfigResponsePB> changeConfig(
      RegisteredServer leader, ChangeConfigRequestPB request) {
    return call(
        leader, CONSENSUS, "ChangeConfig", request, ChangeConfigResponsePB.parser(), DISK_WORK);
  }

  @Override
  public CompletableFuture<LeaderStepDownResponsePB> stepDown(
      RegisteredServer leader, LeaderStepDownRequestPB request) {
    return call(
        leader, CONSENSUS, "LeaderStepDown", request, LeaderStepDownResponsePB.parser(), DISK_WORK);
  }

  private <R extends Message> CompletableFuture<R> call(
      RegisteredServer server,
      String service,
      String method,
      Message request,
      Parser<R> parser,
      RpcCallOptions options) {
    HostPortPB registered = server.rpcAddress();
    if (!HostPortWire.isValid(registered)) {
      return CompletableFuture.failedFuture(
          KuduException.invalidArgument(
              "%s registered an invalid RPC address; set --rpc_advertised_addresses on that server",
              server));
    }
    InetSocketAddress address =
        InetSocketAddress.createUnresolved(registered.getHost(), registered.getPort());
    return client
        .call(address, service, method, request, parser, options)
        .thenApply(
            response -> {
              try (response) {
                return response.message();
              }
            });
  }
}
