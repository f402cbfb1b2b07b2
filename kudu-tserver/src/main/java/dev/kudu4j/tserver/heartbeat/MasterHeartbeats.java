package dev.kudu4j.tserver.heartbeat;

import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.common.NodeInstancePB;
import dev.kudu4j.common.proto.common.ServerRegistrationPB;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.tserver.tablets.TabletRegistry;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;

/**
 * Sends heartbeats to all masters, and tablet reports to the leader. When the leader is lost, all
 * masters receive a heartbeat immediately, so that the successor is found without delay.
 */
public final class MasterHeartbeats implements AutoCloseable {
  /**
   * The identity of this server.
   *
   * @param registration changes some time after the first heartbeat, when the server begins to
   *     serve web pages
   */
  public record Identity(
      NodeInstancePB instance,
      Supplier<ServerRegistrationPB> registration,
      HostPortPB raftAddress) {}

  private final List<MasterHeartbeat> heartbeats;

  /**
   * @param masters all masters, leader and followers
   * @param client borrowed
   * @param timer borrowed
   */
  public MasterHeartbeats(
      List<InetSocketAddress> masters,
      RpcClient client,
      Identity identity,
      TabletRegistry tablets,
      HybridClock clock,
      long intervalMillis,
      ScheduledExecutorService timer) {
    Search search = new Search();
    this.heartbeats =
        masters.stream()
            .map(
                master ->
                    new MasterHeartbeat(
                        master, client, identity, tablets, clock, intervalMillis, timer, search))
            .toList();
  }

  public void start() {
    heartbeats.forEach(MasterHeartbeat::start);
  }

  /** Reports a changed tablet. Does not block. */
  public void changed(String tabletId) {
    heartbeats.forEach(heartbeat -> heartbeat.changed(tabletId));
  }

  @Override
  public void close() {
    heartbeats.forEach(MasterHeartbeat::close);
  }

  private final class Search implements MasterHeartbeat.Search {
    @Override
    public boolean isLeaderKnown() {
      return heartbeats.stream().anyMatch(MasterHeartbeat::leads);
    }

    @Override
    public void leaderLost() {
      heartbeats.forEach(MasterHeartbeat::hurry);
    }
  }
}
