package dev.kudu4j.benchmarks.threads;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.tserver.ScanRequestPB;
import dev.kudu4j.common.proto.tserver.ScanResponsePB;
import dev.kudu4j.common.proto.tserver.TabletServerFeatures;
import dev.kudu4j.common.rpc.EventLoops;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcClientOptions;
import dev.kudu4j.common.rpc.RpcResponse;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Clients of one server: each has a connection, and one operation in flight. */
final class Clients implements AutoCloseable {
  private static final String SERVICE = "kudu.tserver.TabletServerService";
  private static final long MAX_LATENCY_NANOS = TimeUnit.MINUTES.toNanos(2);

  private final EventLoops loops = EventLoops.open("bench-clients", 2);
  private final InetSocketAddress server;
  private final ScanRequests requests;
  private final List<RpcClient> connections = new ArrayList<>();

  Clients(InetSocketAddress server, ScanRequests requests) {
    this.server = server;
    this.requests = requests;
  }

  /** Latencies in nanoseconds of the operations that ended in the time. */
  Histogram run(CallKind kind, int count, long nanos) {
    while (connections.size() < count) {
      String user = "client-" + connections.size();
      connections.add(new RpcClient(RpcClientOptions.defaults().withUser(user), loops));
    }
    long end = System.nanoTime() + nanos;
    List<Client> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Client client = new Client(connections.get(i), kind, end, i);
      clients.add(client);
      client.begin();
    }
    Histogram all = new Histogram(3);
    for (Client client : clients) {
      client.ended.join();
      all.add(client.latencies);
    }
    return all;
  }

  /** One client; its calls follow each other, so one thread at a time uses it. */
  private final class Client {
    final CompletableFuture<Void> ended = new CompletableFuture<>();
    final Histogram latencies = new Histogram(MAX_LATENCY_NANOS, 3);
    private final RpcClient connection;
    private final CallKind kind;
    private final long end;
    private final SplittableRandom random;
    private ByteString scannerId = ByteString.EMPTY;
    private long begun;
    private long rows;

    Client(RpcClient connection, CallKind kind, long end, int seed) {
      this.connection = connection;
      this.kind = kind;
      this.end = end;
      this.random = new SplittableRandom(seed);
    }

    void begin() {
      begun = System.nanoTime();
      rows = 0;
      call(requests.open(kind, random), 0);
    }

    private void call(ScanRequestPB request, int sequence) {
      RpcCallOptions options = RpcCallOptions.timeoutMillis(60_000);
      if (kind == CallKind.ROWS) {
        options = options.withFeatures(TabletServerFeatures.PRIMARY_KEYS_VALUE);
      }
      connection
          .call(server, SERVICE, "Scan", request, ScanResponsePB.parser(), options)
          .whenComplete((response, failure) -> answered(response, failure, sequence));
    }

    private void answered(RpcResponse<ScanResponsePB> response, Throwable failure, int sequence) {
      try {
        if (failure != null) {
          ended.completeExceptionally(failure);
          return;
        }
        ScanResponsePB message;
        try (response) {
          message = response.message();
        }
        if (message.hasError()) {
          throw new IllegalStateException("The server answered " + message.getError());
        }
        rows += message.getData().getNumRows();
        if (message.getHasMoreResults()) {
          if (sequence == 0) {
            scannerId = message.getScannerId();
          }
          call(ScanRequests.next(scannerId, sequence + 1), sequence + 1);
        } else {
          finish();
        }
      } catch (RuntimeException | Error e) {
        ended.completeExceptionally(e);
      }
    }

    private void finish() {
      int expected = kind == CallKind.SCAN ? requests.rows() : kind.keys();
      if (rows != expected) {
        throw new IllegalStateException(
            "%s returned %d rows instead of %d".formatted(kind.title(), rows, expected));
      }
      long now = System.nanoTime();
      latencies.recordValue(now - begun);
      if (now < end) {
        begin();
      } else {
        ended.complete(null);
      }
    }
  }

  @Override
  public void close() {
    connections.forEach(RpcClient::close);
    loops.close();
  }
}
