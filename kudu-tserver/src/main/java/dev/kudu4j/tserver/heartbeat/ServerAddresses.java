package dev.kudu4j.tserver.heartbeat;

import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.common.ServerRegistrationPB;
import dev.kudu4j.common.proto.master.GetMasterRegistrationRequestPB;
import dev.kudu4j.common.proto.master.GetMasterRegistrationResponsePB;
import dev.kudu4j.common.proto.master.ListTabletServersRequestPB;
import dev.kudu4j.common.proto.master.ListTabletServersResponsePB;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcResponse;
import dev.kudu4j.common.wire.HostPortWire;
import dev.kudu4j.server.flags.HostPort;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * The addresses of the other tablet servers, and of the web pages of all servers, as the masters
 * know them. This server asks the masters periodically: if all servers restart with other ports at
 * the same time, they find each other only through the masters.
 */
public final class ServerAddresses implements AutoCloseable {
  private static final long FIRST_MILLIS = 500;
  private static final long INTERVAL_MILLIS = 5_000;
  private static final int CALL_TIMEOUT_MILLIS = 4_000;

  private final List<InetSocketAddress> masters;
  private final RpcClient client;
  private final Map<String, HostPort> known = new ConcurrentHashMap<>();
  private final Map<String, HostPort> pages = new ConcurrentHashMap<>();
  private final Map<InetSocketAddress, HostPort> masterPages = new ConcurrentHashMap<>();
  private final ScheduledFuture<?> task;

  public ServerAddresses(
      List<InetSocketAddress> masters, RpcClient client, ScheduledExecutorService timer) {
    this.masters = List.copyOf(masters);
    this.client = client;
    this.task =
        timer.scheduleWithFixedDelay(
            this::ask, FIRST_MILLIS, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
  }

  public Optional<HostPort> find(String serverUuid) {
    return Optional.ofNullable(known.get(serverUuid));
  }

  /** The address of another tablet server's web pages. */
  public Optional<HostPort> findPages(String serverUuid) {
    return Optional.ofNullable(pages.get(serverUuid));
  }

  /** The addresses of the web pages of those masters that have answered. */
  public List<HostPort> masterPages() {
    return masters.stream().map(masterPages::get).filter(Objects::nonNull).toList();
  }

  private void ask() {
    for (InetSocketAddress master : masters) {
      client
          .call(
              master,
              "kudu.master.MasterService",
              "GetMasterRegistration",
              GetMasterRegistrationRequestPB.getDefaultInstance(),
              GetMasterRegistrationResponsePB.parser(),
              RpcCallOptions.timeoutMillis(CALL_TIMEOUT_MILLIS))
          .thenAccept(response -> learnMaster(master, response))
          .exceptionally(unreachable -> null); // asked again later
      client
          .call(
              master,
              "kudu.master.MasterService",
              "ListTabletServers",
              ListTabletServersRequestPB.getDefaultInstance(),
              ListTabletServersResponsePB.parser(),
              RpcCallOptions.timeoutMillis(CALL_TIMEOUT_MILLIS))
          .thenAccept(this::learn)
          .exceptionally(unreachable -> null); // asked again later
    }
  }

  private void learn(RpcResponse<ListTabletServersResponsePB> response) {
    try (response) {
      for (ListTabletServersResponsePB.Entry server : response.message().getServersList()) {
        if (server.getRegistration().getRpcAddressesCount() > 0) {
          String uuid = server.getInstanceId().getPermanentUuid().toStringUtf8();
          valid(server.getRegistration().getRpcAddresses(0))
              .ifPresent(address -> known.put(uuid, address));
          pagesOf(server.getRegistration()).ifPresent(web -> pages.put(uuid, web));
        }
      }
    }
  }

  private void learnMaster(
      InetSocketAddress master, RpcResponse<GetMasterRegistrationResponsePB> response) {
    try (response) {
      pagesOf(response.message().getRegistration()).ifPresent(web -> masterPages.put(master, web));
    }
  }

  private static Optional<HostPort> pagesOf(ServerRegistrationPB registration) {
    return registration.getHttpAddressesList().stream()
        .flatMap(address -> valid(address).stream())
        .findFirst();
  }

  private static Optional<HostPort> valid(HostPortPB address) {
    return HostPortWire.isValid(address)
        ? Optional.of(HostPort.fromWire("address", address))
        : Optional.empty();
  }

  @Override
  public void close() {
    task.cancel(false);
  }
}
