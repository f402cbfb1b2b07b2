package dev.kudu4j.common.rpc;

import dev.kudu4j.common.proto.rpc.ErrorStatusPB;
import dev.kudu4j.common.proto.rpc.RpcFeatureFlag;
import dev.kudu4j.common.rpc.frame.FrameDecoder;
import dev.kudu4j.common.rpc.frame.ResponseFrame;
import dev.kudu4j.common.rpc.negotiation.ClientNegotiation;
import dev.kudu4j.common.rpc.negotiation.Negotiated;
import dev.kudu4j.common.rpc.negotiation.NegotiationException;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a client, from opening to closing. After it is closed, {@link RpcClient} opens
 * a new connection for the next call. Calls wait in this object until negotiation is complete, and
 * while the server does not read from the connection. A waiting call is not encoded yet, so it can
 * still be removed when it times out. If calls were encoded immediately, their bytes would
 * accumulate while a server hangs. Only the event loop accesses the fields.
 *
 * <pre>
 *   OPENING ----> READY ----> CLOSED
 *      \------------------------^
 * </pre>
 */
@SuppressWarnings("FutureReturnValueIgnored") // failures reach the handler or the call
final class ClientConnection {
  /**
   * The client stops encoding calls when 4 MiB of encoded bytes wait to be sent, and resumes below
   * 1 MiB.
   */
  private static final WriteBufferWaterMark UNSENT_BYTES =
      new WriteBufferWaterMark(1 << 20, 4 << 20);

  /**
   * Netty's default allocator does not pool buffers above 1 MiB, the usual size of a batch: the
   * memory of each would be mapped and cleared each time.
   */
  private static final ByteBufAllocator BUFFERS = PooledByteBufAllocator.DEFAULT;

  private final SocketAddress address;
  private final RpcClientOptions options;
  private final EventLoop loop;
  private final RpcTraffic traffic;
  private final Consumer<ClientConnection> onClosed;

  private final LinkedHashSet<PendingCall<?>> waiting = new LinkedHashSet<>();
  private final IntObjectMap<PendingCall<?>> inFlight = new IntObjectHashMap<>();
  private @Nullable Channel channel; // null until connecting starts
  private @Nullable Set<RpcFeatureFlag> serverFeatures; // null until ready
  private @Nullable KuduException closeCause; // null until closed
  private int nextCallId;

  /**
   * Time, on the scale of {@link System#nanoTime}, since which responses are outstanding and
   * nothing was received; 0 if no response is outstanding.
   */
  private long outstandingSinceNanos;

  ClientConnection(
      SocketAddress address,
      RpcClientOptions options,
      EventLoop loop,
      RpcTraffic traffic,
      Consumer<ClientConnection> onClosed) {
    this.address = address;
    this.options = options;
    this.loop = loop;
    this.traffic = traffic;
    this.onClosed = onClosed;
  }

  /**
   * Makes a call. Any thread may call it.
   *
   * @param ifClosed takes {@code call} if the connection is already closed
   */
  void call(PendingCall<?> call, Consumer<PendingCall<?>> ifClosed) {
    execute(() -> accept(call, ifClosed), () -> call.fail(shutDown()));
  }

  /** Fails all calls and closes the connection. Any thread may call it. */
  void close(KuduException cause) {
    execute(() -> closed(cause), () -> {});
  }

  void open(Bootstrap bootstrap) {
    execute(() -> connect(bootstrap), () -> {});
  }

  private void execute(Runnable task, Runnable ifStopped) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      ifStopped.run();
    }
  }

  private void executeNow(Runnable task) {
    if (loop.inEventLoop()) {
      task.run();
    } else {
      execute(task, () -> {});
    }
  }

  private static KuduException shutDown() {
    return new KuduException(StatusCode.ABORTED, "The RPC client is closed");
  }

  private void connect(Bootstrap bootstrap) {
    if (closeCause != null) {
      return;
    }
    ChannelFuture connecting =
        bootstrap
            .clone(loop)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, options.connectTimeoutMillis())
            .option(ChannelOption.WRITE_BUFFER_WATER_MARK, UNSENT_BYTES)
            .option(ChannelOption.ALLOCATOR, BUFFERS)
            .handler(new Pipeline())
            .connect(address);
    channel = connecting.channel();
    connecting.addListener(
        done -> {
          if (!done.isSuccess()) {
            closed(
                new ConnectFailedException(
                    atServer("Cannot connect: " + done.cause().getMessage()), done.cause()));
          }
        });
  }

  private final class Pipeline extends ChannelInitializer<Channel>
      implements ClientNegotiation.Outcome {
    @Override
    protected void initChannel(Channel opened) {
      opened
          .pipeline()
          .addLast(new TrafficCounter(traffic))
          .addLast(FrameDecoder.forClient(options.maxFrameBytes()))
          .addLast(
              new ClientNegotiation(
                  options.user(), options.secret(), options.negotiationTimeoutMillis(), this));
    }

    @Override
    public ChannelInboundHandlerAdapter succeeded(
        ChannelHandlerContext context, Negotiated result) {
      ready(result);
      return new Responses();
    }

    @Override
    public void failed(KuduException cause) {
      closed(asRpcError(cause));
    }
  }

  private static KuduException asRpcError(KuduException cause) {
    return cause instanceof NegotiationException refusal
        ? RpcException.fromWire(
            ErrorStatusPB.newBuilder()
                .setMessage(refusal.describe())
                .setCode(refusal.rpcCode())
                .build())
        : cause;
  }

  private void ready(Negotiated result) {
    serverFeatures = result.peerFeatures();
    if (options.readTimeoutMillis() > 0) {
      watchSilence();
    }
    writeWaiting();
  }

  /** The channel of a connection whose negotiation is complete. */
  private Channel readyChannel() {
    assert channel != null : "the connection was not started";
    return channel;
  }

  private boolean serverHas(RpcFeatureFlag feature) {
    assert serverFeatures != null : "negotiation is not complete";
    return serverFeatures.contains(feature);
  }

  private void writeWaiting() {
    while (!waiting.isEmpty() && readyChannel().isWritable()) {
      Iterator<PendingCall<?>> first = waiting.iterator();
      PendingCall<?> call = first.next();
      first.remove();
      write(call);
    }
  }

  private void watchSilence() {
    long silentNanos = outstandingSinceNanos == 0 ? 0 : System.nanoTime() - outstandingSinceNanos;
    if (silentNanos >= TimeUnit.MILLISECONDS.toNanos(options.readTimeoutMillis())) {
      closed(networkError("The server does not respond", null));
    } else if (closeCause == null) {
      loop.schedule(this::watchSilence, options.readTimeoutMillis() / 2, TimeUnit.MILLISECONDS);
    }
  }

  private void accept(PendingCall<?> call, Consumer<PendingCall<?>> ifClosed) {
    if (closeCause != null) {
      call.connectionEnded(closeCause);
      ifClosed.accept(call);
    } else if (serverFeatures == null || !waiting.isEmpty() || !readyChannel().isWritable()) {
      waiting.add(call);
      call.future().whenComplete((response, failure) -> forgetWaiting(call));
    } else {
      write(call);
    }
  }

  private void forgetWaiting(PendingCall<?> call) {
    executeNow(() -> waiting.remove(call));
  }

  private void write(PendingCall<?> call) {
    if (call.isDone()) {
      return;
    }
    if (call.needsFeatures() && !serverHas(RpcFeatureFlag.APPLICATION_FEATURE_FLAGS)) {
      call.fail(
          KuduException.notSupported(
              "Server %s does not support feature flags, but %s requires some",
              LocalSockets.text(address), call.describe()));
      return;
    }
    Channel ready = readyChannel();
    int callId = freeCallId();
    List<ByteBuf> parts;
    try {
      parts = call.encode(callId, ready.alloc());
    } catch (RuntimeException e) {
      call.fail(
          new KuduException(
              StatusCode.INVALID_ARGUMENT,
              "Request of " + call.describe() + " cannot be encoded: " + e.getMessage(),
              e));
      return;
    }
    if (!parts.isEmpty()) {
      inFlight.put(callId, call);
      if (outstandingSinceNanos == 0) {
        outstandingSinceNanos = System.nanoTime();
      }
      call.future().whenComplete((response, failure) -> forget(callId, call));
      parts.forEach(ready::write);
      ready.flush();
    }
  }

  private int freeCallId() {
    do {
      int candidate = nextCallId;
      nextCallId = candidate == Integer.MAX_VALUE ? 0 : candidate + 1;
      if (!inFlight.containsKey(candidate)) {
        return candidate;
      }
    } while (true);
  }

  /** Removes a call that timed out or was cancelled; a late response is ignored. */
  private void forget(int callId, PendingCall<?> call) {
    executeNow(
        () -> {
          if (inFlight.get(callId) == call) {
            inFlight.remove(callId);
          }
        });
  }

  private final class Responses extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf frame = (ByteBuf) message;
      try {
        ResponseFrame response = ResponseFrame.read(frame);
        PendingCall<?> call = inFlight.remove(response.header().getCallId());
        if (call != null) {
          call.complete(response);
        }
        outstandingSinceNanos = inFlight.isEmpty() ? 0 : System.nanoTime();
      } finally {
        frame.release();
      }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
      writeWaiting();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      closed(networkError("The server closed the connection", null));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      closed(networkError("Connection failed: " + cause.getMessage(), cause));
    }
  }

  private KuduException networkError(String what, @Nullable Throwable cause) {
    return new KuduException(StatusCode.NETWORK_ERROR, atServer(what), cause);
  }

  private String atServer(String what) {
    return what + " (server " + LocalSockets.text(address) + ")";
  }

  private void closed(KuduException cause) {
    if (closeCause != null) {
      return;
    }
    closeCause = cause;
    onClosed.accept(this);
    List<PendingCall<?>> lost = new ArrayList<>(waiting);
    lost.addAll(inFlight.values());
    waiting.clear();
    inFlight.clear();
    if (channel != null) {
      channel.close();
    }
    lost.forEach(call -> call.fail(cause));
  }
}
