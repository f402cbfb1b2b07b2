package dev.kudu4j.server.leaders;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.master.GetTabletLocationsRequestPB;
import dev.kudu4j.common.proto.master.GetTabletLocationsResponsePB;
import dev.kudu4j.common.proto.master.TSInfoPB;
import dev.kudu4j.common.proto.master.TabletLocationsPB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.HostPortWire;
import dev.kudu4j.common.wire.StatusWire;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;

/**
 * Calls {@code kudu.tserver.TabletServerAdminService} at the leaders of tablets. Remembers where
 * they are, and asks the leading master again when one has moved. Thread-safe.
 */
public final class TabletLeaders {
  private static final String SERVICE = "kudu.tserver.TabletServerAdminService";
  private static final int MAX_REMEMBERED = 100_000;

  /** A leader that cannot log a step in this time may have lost its followers. */
  private static final long MAX_CALL_MILLIS = 3_000;

  private final LeadingMaster master;
  private final RpcClient client;
  private final ScheduledExecutorService timer;

  /** By tablet id: the servers with a replica, the leader first if it is known. */
  private final Map<String, List<InetSocketAddress>> known = new ConcurrentHashMap<>();

  /**
   * @param client borrowed
   * @param timer borrowed; never blocked
   */
  public TabletLeaders(LeadingMaster master, RpcClient client, ScheduledExecutorService timer) {
    this.master = master;
    this.client = client;
    this.timer = timer;
  }

  /**
   * Calls a method at the leader of a tablet. Fails with {@link TabletGoneException} if there is no
   * such tablet, with the server's error if the leader refuses the call, and with TIMED_OUT if no
   * leader answers until the deadline.
   *
   * @param error the error in a response; the default instance if there is none
   * @param deadlineNanos on the scale of {@link System#nanoTime}
   */
  public <R extends Message> CompletableFuture<R> call(
      String tabletId,
      String method,
      Message request,
      Parser<R> parser,
      Function<R, TabletServerErrorPB> error,
      long deadlineNanos) {
    Search search = new Search(tabletId, deadlineNanos);
    return Repetition.of(
        attempt ->
            search
                .next()
                .thenCompose(
                    server ->
                        CallOutcome.call(
                                client,
                                server,
                                SERVICE,
                                method,
                                request,
                                parser,
                                MAX_CALL_MILLIS,
                                deadlineNanos)
                            .thenApply(
                                response -> {
                                  check(error.apply(response));
                                  search.found(server);
                                  return response;
                                })),
        deadlineNanos,
        timer);
  }

  /**
   * The servers that one call tries: those that are remembered, then those that the master names,
   * again and again. One attempt at a time.
   */
  private final class Search {
    private final String tabletId;
    private final long deadlineNanos;
    private List<InetSocketAddress> servers;
    private int tried;

    Search(String tabletId, long deadlineNanos) {
      this.tabletId = tabletId;
      this.deadlineNanos = deadlineNanos;
      this.servers = known.getOrDefault(tabletId, List.of());
    }

    CompletableFuture<InetSocketAddress> next() {
      if (tried < servers.size()) {
        return CompletableFuture.completedFuture(servers.get(tried++));
      }
      return locate(tabletId, deadlineNanos)
          .thenApply(
              found -> {
                servers = found;
                tried = 1;
                return found.get(0);
              });
    }

    /** The server leads: it is asked first next time. */
    void found(InetSocketAddress leader) {
      if (!servers.get(0).equals(leader)) {
        List<InetSocketAddress> reordered = new ArrayList<>(servers);
        reordered.remove(leader);
        reordered.add(0, leader);
        remember(tabletId, reordered);
      }
    }
  }

  private static void check(TabletServerErrorPB error) {
    if (error.equals(TabletServerErrorPB.getDefaultInstance())) {
      return;
    }
    KuduException failure = StatusWire.fromWire(error.getStatus());
    switch (error.getCode()) {
      case NOT_THE_LEADER, TABLET_NOT_FOUND, TABLET_NOT_RUNNING, TABLET_FAILED ->
          throw new Repetition.Again(failure);
      case TXN_ILLEGAL_STATE -> throw new RefusedException(failure);
      default ->
          throw failure.code() == StatusCode.NOT_FOUND // only the master knows that
              ? new Repetition.Again(failure)
              : failure;
    }
  }

  private CompletableFuture<List<InetSocketAddress>> locate(String tabletId, long deadlineNanos) {
    GetTabletLocationsRequestPB request =
        GetTabletLocationsRequestPB.newBuilder()
            .addTabletIds(ByteString.copyFromUtf8(tabletId))
            .setInternTsInfosInResponse(true)
            .build();
    return master
        .call(
            LeadingMaster.SERVICE,
            "GetTabletLocations",
            request,
            GetTabletLocationsResponsePB.parser(),
            GetTabletLocationsResponsePB::getError,
            deadlineNanos)
        .thenApply(
            response -> {
              if (response.getErrorsCount() > 0) {
                throw failure(StatusWire.fromWire(response.getErrors(0).getStatus()));
              }
              List<InetSocketAddress> servers =
                  servers(response.getTabletLocations(0), response.getTsInfosList());
              if (servers.isEmpty()) {
                throw new Repetition.Again(
                    KuduException.serviceUnavailable(
                        "The master knows no address of a replica of tablet %s", tabletId));
              }
              remember(tabletId, servers);
              return servers;
            });
  }

  /** A tablet that does not run yet may run soon. */
  private static RuntimeException failure(KuduException status) {
    return switch (status.code()) {
      case SERVICE_UNAVAILABLE -> new Repetition.Again(status);
      case NOT_FOUND -> new TabletGoneException(String.valueOf(status.getMessage()));
      default -> status;
    };
  }

  /** Remembers the servers of a tablet, as a response of a master names them. */
  void learn(TabletLocationsPB tablet, List<TSInfoPB> servers) {
    List<InetSocketAddress> addresses = servers(tablet, servers);
    if (!addresses.isEmpty()) {
      remember(tablet.getTabletId().toStringUtf8(), addresses);
    }
  }

  private void remember(String tabletId, List<InetSocketAddress> servers) {
    if (known.size() >= MAX_REMEMBERED) {
      known.clear();
    }
    known.put(tabletId, servers);
  }

  private static List<InetSocketAddress> servers(TabletLocationsPB tablet, List<TSInfoPB> infos) {
    List<InetSocketAddress> servers = new ArrayList<>();
    for (TabletLocationsPB.InternedReplicaPB replica : tablet.getInternedReplicasList()) {
      TSInfoPB server = infos.get(replica.getTsInfoIdx());
      if (server.getRpcAddressesCount() == 0 || !HostPortWire.isValid(server.getRpcAddresses(0))) {
        continue;
      }
      HostPortPB address = server.getRpcAddresses(0);
      InetSocketAddress unresolved =
          InetSocketAddress.createUnresolved(address.getHost(), address.getPort());
      servers.add(replica.getRole() == RaftPeerPB.Role.LEADER ? 0 : servers.size(), unresolved);
    }
    return servers;
  }
}
