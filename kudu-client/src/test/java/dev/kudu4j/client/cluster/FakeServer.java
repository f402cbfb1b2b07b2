package dev.kudu4j.client.cluster;

import static dev.kudu4j.common.Patience.await;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.rpc.Access;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.rpc.RpcErrorCode;
import dev.kudu4j.common.rpc.RpcException;
import dev.kudu4j.common.rpc.RpcHandler;
import dev.kudu4j.common.rpc.RpcServer;
import dev.kudu4j.common.rpc.RpcService;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A real RPC server on loopback whose responses a test decides. It can be paused (it accepts calls
 * and answers none, not even pings), be too busy, and be stopped and restarted on the same port.
 */
public abstract class FakeServer implements AutoCloseable {
  private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
  private final List<Callable<Void>> pausedCalls = new ArrayList<>();
  private final Map<String, BlockingQueue<RpcCall>> held = new ConcurrentHashMap<>();
  private final AtomicInteger refusals = new AtomicInteger();
  private boolean paused; // guarded by pausedCalls, so resume() misses no call
  private RpcServer server;
  private int port;

  abstract RpcService service();

  /**
   * Retries, because a client that tries to connect to the port of a stopped server may occupy that
   * port for a moment.
   */
  FakeServer start() {
    server =
        await("port " + port).ignoreException(KuduException.class).until(this::bind, bound -> true);
    port = server.boundAddresses().get(0).getPort();
    return this;
  }

  private RpcServer bind() {
    return RpcServer.builder("fake")
        .bindAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
        .service(service())
        .start();
  }

  public HostPort address() {
    return new HostPort("127.0.0.1", port);
  }

  /** Answers nothing from now on, but keeps its connections. */
  public void pause() {
    synchronized (pausedCalls) {
      paused = true;
    }
  }

  /** Answers the calls that arrived during the {@link #pause}, and later calls. */
  public void resume() throws Exception {
    List<Callable<Void>> waiting;
    synchronized (pausedCalls) {
      paused = false;
      waiting = List.copyOf(pausedCalls);
      pausedCalls.clear();
    }
    for (Callable<Void> call : waiting) {
      call.call();
    }
  }

  /** Whether a call has to wait for {@link #resume}, which executes it. */
  private boolean waitsForResume(Callable<Void> call) {
    synchronized (pausedCalls) {
      return paused && pausedCalls.add(call);
    }
  }

  /** Rejects the next calls as "too busy", but answers pings. */
  public void refuseNext(int count) {
    refusals.set(count);
  }

  /** Calls of the method are held: the test gets them from {@link #nextHeld} and answers them. */
  public void hold(String method) {
    held.put(method, new LinkedBlockingQueue<>());
  }

  public RpcCall nextHeld(String method) throws InterruptedException {
    return held.get(method).take();
  }

  /** Removes and returns the held calls of the method; the test answers them. */
  public List<RpcCall> heldNow(String method) {
    List<RpcCall> calls = new ArrayList<>();
    held.get(method).drainTo(calls);
    return calls;
  }

  /** Ends all connections and frees the port. */
  public void stop() {
    server.close();
  }

  /** How often the method was called. */
  public int calls(String method) {
    AtomicInteger count = calls.get(method);
    return count == null ? 0 : count.get();
  }

  <Q extends Message> void add(
      RpcService.Builder service, String method, Parser<Q> parser, RpcHandler<Q> handler) {
    service.method(method, Access.CLIENT, parser, (request, call) -> serve(request, call, handler));
  }

  private <Q extends Message> void serve(Q request, RpcCall call, RpcHandler<Q> handler)
      throws Exception {
    calls.computeIfAbsent(call.method(), m -> new AtomicInteger()).incrementAndGet();
    BlockingQueue<RpcCall> holding = held.get(call.method());
    Callable<Void> later =
        () -> {
          handler.handle(request, call);
          return null;
        };
    if (waitsForResume(later)) {
      return;
    }
    if (!call.method().equals("Ping") && refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      call.fail(
          new RpcException(
              RpcErrorCode.ERROR_SERVER_TOO_BUSY, StatusCode.SERVICE_UNAVAILABLE, "queue full"));
    } else if (holding != null) {
      holding.add(call);
    } else {
      handler.handle(request, call);
    }
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
  }
}
