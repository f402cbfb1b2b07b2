package dev.kudu4j.embedded;

import dev.kudu4j.common.proto.master.ListTabletServersRequestPB;
import dev.kudu4j.common.proto.master.ListTabletServersResponsePB;
import dev.kudu4j.common.rpc.EventLoops;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcClientOptions;
import dev.kudu4j.common.rpc.RpcResponse;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Waits until the leading master knows the tablet servers. Only then can it place tablets on them.
 */
final class LiveServers implements AutoCloseable {
  private static final long PAUSE_MILLIS = 10;

  private final RpcClient client;
  private final List<InetSocketAddress> masters;

  LiveServers(EventLoops loops, List<InetSocketAddress> masters) {
    this.client = new RpcClient(RpcClientOptions.defaults(), loops);
    this.masters = masters;
  }

  /**
   * Waits until there is a leading master that knows {@code count} tablet servers.
   *
   * @throws KuduException TIMED_OUT if that takes longer than {@code timeoutMillis}
   */
  void await(int count, long timeoutMillis) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    int live = count(timeoutMillis);
    while (live < count) {
      if (System.nanoTime() - deadline > 0) {
        throw KuduException.timedOut(
            "After %d ms the leading master knows %d of %d tablet servers; see its log",
            timeoutMillis, Math.max(live, 0), count);
      }
      pause();
      live = count(timeoutMillis);
    }
  }

  /** The number of tablet servers that the leading master knows; -1 while no master leads. */
  private int count(long timeoutMillis) {
    return masters.stream().mapToInt(master -> count(master, timeoutMillis)).max().orElse(-1);
  }

  private int count(InetSocketAddress master, long timeoutMillis) {
    var call =
        client.call(
            master,
            "kudu.master.MasterService",
            "ListTabletServers",
            ListTabletServersRequestPB.getDefaultInstance(),
            ListTabletServersResponsePB.parser(),
            RpcCallOptions.timeoutMillis(timeoutMillis));
    try (RpcResponse<ListTabletServersResponsePB> response = call.get()) {
      ListTabletServersResponsePB servers = response.message();
      return servers.hasError() ? -1 : servers.getServersCount();
    } catch (ExecutionException e) {
      return -1;
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static KuduException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new KuduException(StatusCode.ABORTED, "Interrupted while the cluster starts", e);
  }

  @Override
  public void close() {
    client.close();
  }
}
