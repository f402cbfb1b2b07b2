package dev.kudu4j.common.rpc;

import dev.kudu4j.common.rpc.frame.InboundAccount;
import dev.kudu4j.common.rpc.frame.MalformedFrameException;
import dev.kudu4j.common.rpc.frame.ReadSwitch;
import dev.kudu4j.common.rpc.frame.RequestFrame;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A negotiated connection on a server: its calls in flight, by id. Fields belong to the event loop;
 * methods that other threads may call say so.
 *
 * <p>Two things stop the reading: a client that does not read its responses, and one with too many
 * calls in flight. Calls of the first that still wait for a worker are parked here, so what it can
 * make us hold is bounded. If it takes no byte for the idle time-out, it is closed.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failures reach the handler or the call
final class ServerConnection extends ChannelInboundHandlerAdapter
    implements ConnectionTable.Activity {
  private static final int LOOKS_AT_STUCK_CLIENT = 4; // within the time-out

  private final RpcServer server;
  private final Caller caller;
  private final InboundAccount account;
  private final IntObjectMap<RpcCall> inFlight = new IntObjectHashMap<>();
  private final ArrayDeque<Runnable> parked = new ArrayDeque<>();
  private ChannelHandlerContext context;
  private volatile Channel channel;
  private ReadSwitch reads;

  /** Bytes of responses that were handed over and that the event loop has not taken up yet. */
  private final AtomicLong handedBytes = new AtomicLong();

  // Written by the event loop, read by who looks for connections that do nothing.
  private final AtomicLong lastActivityNanos = new AtomicLong();
  private final AtomicInteger callCount = new AtomicInteger();

  // What the client takes, as of the last look.
  private long completedWrites;
  private long lastCompletedWrites;
  private long lastProgress;
  private long stuckSinceNanos;

  ServerConnection(RpcServer server, Caller caller, InboundAccount account) {
    this.server = server;
    this.caller = caller;
    this.account = account;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
    channel = added.channel();
    reads = ReadSwitch.of(channel);
    touch();
    stuckSinceNanos = System.nanoTime();
    scheduleIdleCheck(server.options().idleTimeoutMillis() / LOOKS_AT_STUCK_CLIENT);
  }

  @Override
  public void channelRead(ChannelHandlerContext unused, Object message) {
    ByteBuf frame = (ByteBuf) message;
    int bytes = frame.readableBytes();
    boolean accepted = false;
    try {
      accepted = accept(RequestFrame.read(frame));
    } finally {
      frame.release();
      if (!accepted) {
        account.release(bytes);
      }
    }
  }

  /** Whether a call has been made of the frame, which now owes it to the account. */
  private boolean accept(RequestFrame frame) {
    touch();
    if (!channel.isActive()) {
      return false; // dropped by an earlier frame of the same packet
    }
    int callId = frame.header().getCallId();
    if (!frame.header().hasRemoteMethod()) {
      drop("call " + callId + " names no method");
    } else if (inFlight.containsKey(callId)) {
      drop("two calls with id " + callId + " at once");
    } else {
      RpcCall call = new RpcCall(this, frame);
      inFlight.put(callId, call);
      countCalls();
      updateReading();
      server.dispatch(call);
      return true;
    }
    return false;
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext unused) {
    touch();
  }

  private void drop(String reason) {
    server.logClosing(context, reason);
    context.close();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext unused) {
    updateReading();
    resumeParked();
  }

  private void updateReading() {
    boolean reading =
        channel.isWritable() && inFlight.size() < server.options().maxCallsPerConnection();
    reads.allow(ReadSwitch.Reason.REQUESTS, reading);
  }

  private void resumeParked() {
    while (channel.isWritable() && !parked.isEmpty()) {
      parked.poll().run();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext unused) {
    parked.clear();
    List<RpcCall> abandoned = new ArrayList<>(inFlight.values());
    inFlight.clear();
    countCalls();
    abandoned.forEach(RpcCall::connectionClosed);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext unused, Throwable cause) {
    if (cause instanceof MalformedFrameException) {
      drop(String.valueOf(cause.getMessage()));
    } else if (cause instanceof IOException) {
      context.close(); // the peer went away; its business
    } else {
      server.logInternal(context, cause);
      context.close();
    }
  }

  /** Any thread. */
  Caller caller() {
    return caller;
  }

  /** Any thread. */
  InboundAccount account() {
    return account;
  }

  /** Any thread. */
  /** A worker had the call, and its answer goes out now. */
  void answered(RpcCall call, long handlerNanos) {
    server.answered(call, handlerNanos);
  }

  RpcMetrics metrics() {
    return server.metrics();
  }

  /** Any thread. */
  int maxFrameBytes() {
    return server.options().maxFrameBytes();
  }

  /** Any thread. */
  ByteBufAllocator allocator() {
    return channel.alloc();
  }

  /** Any thread. */
  InetSocketAddress localAddress() {
    return (InetSocketAddress) channel.localAddress();
  }

  /**
   * Whether the client reads its responses, as far as the event loop has got round to sending them.
   * A closed connection counts as one that does. Any thread.
   */
  boolean isWritable() {
    boolean roomy = handedBytes.get() < server.options().outboundHighWaterBytes();
    return (roomy && channel.isWritable()) || !channel.isActive();
  }

  /** Runs {@code retry} when the client reads again; never if it goes away. Any thread. */
  void park(Runnable retry) {
    execute(
        () -> {
          if (channel.isActive()) {
            parked.add(retry);
            resumeParked();
          }
        },
        () -> {});
  }

  /**
   * Sends a response. Takes the buffers. Any thread.
   *
   * @param bytes of all parts
   */
  void send(RpcCall call, List<ByteBuf> parts, long bytes) {
    handedBytes.addAndGet(bytes);
    execute(
        () -> {
          write(call, parts);
          handedBytes.addAndGet(-bytes);
        },
        () -> parts.forEach(ReferenceCountUtil::safeRelease));
  }

  private void write(RpcCall call, List<ByteBuf> parts) {
    if (inFlight.get(call.callId()) == call) {
      inFlight.remove(call.callId());
      countCalls();
    }
    int last = parts.size() - 1;
    for (int i = 0; i < last; i++) {
      context.write(parts.get(i));
    }
    context.writeAndFlush(parts.get(last)).addListener(this::sent);
    updateReading();
  }

  private void sent(Future<?> done) {
    completedWrites++;
    touch();
  }

  /** What the connection is about; empty when it is gone. Any thread. */
  CompletableFuture<Optional<ConnectionView>> view() {
    CompletableFuture<Optional<ConnectionView>> view = new CompletableFuture<>();
    execute(
        () ->
            view.complete(
                Optional.of(
                    new ConnectionView(
                        caller, inFlight.values().stream().map(RpcCall::view).toList()))),
        () -> view.complete(Optional.empty()));
    return view;
  }

  /** Cancels the call at its deadline if it is still in flight then. Any thread. */
  void cancelAt(long deadlineNanos, RpcCall call) {
    execute(
        () -> {
          long delay = Math.max(0, deadlineNanos - System.nanoTime());
          context.executor().schedule(() -> cancelIfInFlight(call), delay, TimeUnit.NANOSECONDS);
        },
        () -> {});
  }

  private void cancelIfInFlight(RpcCall call) {
    if (inFlight.get(call.callId()) == call) {
      call.cancel();
    }
  }

  private void execute(Runnable task, Runnable ifStopped) {
    if (channel.eventLoop().inEventLoop()) {
      task.run();
      return;
    }
    try {
      channel.eventLoop().execute(task);
    } catch (RejectedExecutionException e) {
      ifStopped.run();
    }
  }

  private void touch() {
    lastActivityNanos.lazySet(System.nanoTime());
  }

  private void countCalls() {
    callCount.lazySet(inFlight.size());
  }

  @Override
  public long idleSinceNanos() {
    return callCount.get() > 0 ? BUSY : lastActivityNanos.get();
  }

  private void scheduleIdleCheck(long delayMillis) {
    context.executor().schedule(this::closeIfIdle, Math.max(1, delayMillis), TimeUnit.MILLISECONDS);
  }

  private void closeIfIdle() {
    if (!channel.isActive()) {
      return;
    }
    long now = System.nanoTime();
    long limitMillis = server.options().idleTimeoutMillis();
    boolean stuck = isUnsent() && !hasClientTakenBytes();
    if (!stuck) {
      stuckSinceNanos = now;
    }
    long stuckMillis = TimeUnit.NANOSECONDS.toMillis(now - stuckSinceNanos);
    long silentMillis = TimeUnit.NANOSECONDS.toMillis(now - lastActivityNanos.get());
    if (stuck && stuckMillis >= limitMillis) {
      drop(
          "its client has taken nothing of what it was sent for %d ms; %d calls are cancelled"
              .formatted(stuckMillis, inFlight.size()));
    } else if (isUnsent() || !inFlight.isEmpty()) {
      scheduleIdleCheck(limitMillis / LOOKS_AT_STUCK_CLIENT);
    } else if (silentMillis >= limitMillis) {
      context.close();
    } else {
      scheduleIdleCheck(limitMillis - silentMillis);
    }
  }

  /** Whether responses wait for the client to take them, or calls for those responses. */
  private boolean isUnsent() {
    ChannelOutboundBuffer outbound = channel.unsafe().outboundBuffer();
    return (outbound != null && !outbound.isEmpty()) || !parked.isEmpty();
  }

  /** Whether so much as one byte went out since this was asked last. */
  private boolean hasClientTakenBytes() {
    ChannelOutboundBuffer outbound = channel.unsafe().outboundBuffer();
    long progress = outbound == null ? 0 : outbound.currentProgress();
    boolean moved = progress != lastProgress || completedWrites != lastCompletedWrites;
    lastProgress = progress;
    lastCompletedWrites = completedWrites;
    return moved;
  }
}
