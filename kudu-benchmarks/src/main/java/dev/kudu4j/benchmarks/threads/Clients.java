package dev.kudu4j.benchmarks.threads;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.tserver.ScanRequestPB;
import dev.kudu4j.common.proto.tserver.ScanResponsePB;
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
  private final List<RpcClient> connections = new ArrayList<>();

  Clients(InetSocketAddress server) {
    this.server = server;
  }

  /** Latencies in nanoseconds of the operations that ended in the time. */
  Histogram run(ScanOperation operation, int count, long nanos) {
    while (connections.size() < count) {
      String user = "client-" + connections.size();
      connections.add(new RpcClient(RpcClientOptions.defaults().withUser(user), loops));
    }
    long end = System.nanoTime() + nanos;
    List<Client> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Client client = new Client(connections.get(i), operation, end, i);
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
    private final ScanOperation operation;
    private final long end;
    private final SplittableRandom random;
    private ByteString scannerId = ByteString.EMPTY;
    private long begun;
    private long rows;

    Client(RpcClient connection, ScanOperation operation, long end, int seed) {
      this.connection = connection;
      this.operation = operation;
      this.end = end;
      this.random = new SplittableRandom(seed);
    }

    void begin() {
      begun = System.nanoTime();
      rows = 0;
      call(operation.open(random), 0);
    }

    private void call(ScanRequestPB request, int sequence) {
      RpcCallOptions options = operation.options();
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
      int expected = operation.rows();
      if (rows != expected) {
        throw new IllegalStateException(
            "%s returned %d rows instead of %d".formatted(operation.title(), rows, expected));
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
