package dev.kudu4j.benchmarks.parts;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.rpc.NegotiatePB;
import dev.kudu4j.common.proto.rpc.NegotiatePB.NegotiateStep;
import dev.kudu4j.common.rpc.Access;
import dev.kudu4j.common.rpc.EventLoops;
import dev.kudu4j.common.rpc.LocalSockets;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcClientOptions;
import dev.kudu4j.common.rpc.RpcIo;
import dev.kudu4j.common.rpc.RpcResponse;
import dev.kudu4j.common.rpc.RpcServer;
import dev.kudu4j.common.rpc.RpcServerOptions;
import dev.kudu4j.common.rpc.RpcService;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Calls over loopback or a Unix-domain socket, one at a time, whose responses have a sidecar or
 * none. The baseline transfers the same number of bytes over plain TCP sockets, with a thread on
 * each side.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RpcRoundTripBenchmark {
  private static final String SERVICE = "benchmark.Bytes";
  private static final String METHOD = "Get";
  private static final int REQUEST_BYTES = 64;
  private static final RpcCallOptions OPTIONS = RpcCallOptions.timeoutMillis(30_000);

  /** Size of the response's sidecar; 0 for none. */
  @Param({"0", "1048576"})
  public int sidecarBytes;

  /** How the event loops of both sides read and write: a value of {@code --rpc_io}. */
  @Param({"epoll", "io_uring"})
  public String io;

  @Param({"tcp", "local"})
  public String socket;

  private RpcServer server;
  private RpcClient client;
  private ByteBuf sidecar;
  private EventLoops loops;
  private SocketAddress address;
  private NegotiatePB request;
  private PlainSockets plain;

  @Setup(Level.Trial)
  public void open() throws IOException {
    sidecar = Unpooled.directBuffer(sidecarBytes).writeZero(sidecarBytes);
    RpcIo kind = RpcIo.of(io);
    server =
        RpcServer.builder("benchmark")
            .options(RpcServerOptions.defaults().withIo(kind))
            .service(
                RpcService.builder(SERVICE)
                    .method(METHOD, Access.CLIENT, NegotiatePB.parser(), this::answer)
                    .build())
            .bind();
    String path = LocalSockets.ofServer(UUID.randomUUID().toString());
    server.bindLocal(path);
    server.start();
    address = socket.equals("local") ? LocalSockets.address(path) : server.boundAddresses().get(0);
    loops = EventLoops.open("client", 1, kind);
    client = new RpcClient(RpcClientOptions.defaults(), loops);
    request =
        NegotiatePB.newBuilder()
            .setStep(NegotiateStep.NEGOTIATE)
            .setToken(ByteString.copyFrom(new byte[REQUEST_BYTES]))
            .build();
    plain = new PlainSockets(REQUEST_BYTES, REQUEST_BYTES + sidecarBytes);
  }

  private void answer(NegotiatePB received, RpcCall call) {
    if (sidecarBytes == 0) {
      call.respond(received);
      return;
    }
    call.respond(received, List.of(sidecar.retainedDuplicate()));
  }

  @TearDown(Level.Trial)
  public void close() throws IOException {
    client.close();
    loops.close();
    server.close();
    plain.close();
    sidecar.release();
  }

  @Benchmark
  public int rpc() {
    try (RpcResponse<NegotiatePB> response =
        client.call(address, SERVICE, METHOD, request, NegotiatePB.parser(), OPTIONS).join()) {
      int bytes = response.message().getToken().size();
      for (ByteBuf sidecar : response.sidecars()) {
        bytes += sidecar.readableBytes();
      }
      return bytes;
    }
  }

  @Benchmark
  public int baselineSocket() throws IOException {
    return plain.roundTrip();
  }
}
