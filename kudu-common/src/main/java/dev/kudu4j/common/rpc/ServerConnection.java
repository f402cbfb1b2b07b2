package dev.kudu4j.common.rpc;

import dev.kudu4j.common.rpc.frame.InboundAccount;
import dev.kudu4j.common.rpc.frame.MalformedFrameException;
import dev.kudu4j.common.rpc.frame.ReadSwitch;
import dev.kudu4j.common.rpc.frame.RequestFrame;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.EventLoop;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A negotiated connection on a server, with its calls in flight by id. Methods run on the event
 * loop unless their comment allows any thread.
 *
 * <p>The server stops reading from a client that does not read its responses or has too many calls
 * in flight. Queued calls of a client that does not read its responses are parked in its
 * connection, which bounds the memory that such a client can use. If the client reads nothing for
 * the idle timeout, the connection is closed.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failures reach the handler or the call
final class ServerConnection extends ChannelInboundHandlerAdapter
    implements ConnectionTable.Activity {
  private static final int IDLE_CHECKS_PER_TIMEOUT = 4;

  /** One in this many calls is timed. */
  private static final int CALLS_PER_SAMPLE = 16;

  private final RpcServer server;
  private final Caller caller;
  private final InboundAccount account;
  private final IntObjectMap<RpcCall> inFlight = new IntObjectHashMap<>();
  private final ArrayDeque<Runnable> parked = new ArrayDeque<>();
  private ChannelHandlerContext context;
  private volatile Channel channel;
  private ReadSwitch reads;
  private int received; // calls

  /** Bytes of responses that were handed to the event loop and that it has not processed yet. */
  private final AtomicLong handedBytes = new AtomicLong();

  // Written by the event loop, read by ConnectionTable, which searches for idle connections.
  private final AtomicLong lastActivityNanos = new AtomicLong();
  private final AtomicInteger callCount = new AtomicInteger();

  // What was sent, now and at the last idle check, to detect a client that does not read.
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
    scheduleIdleCheck(server.options().idleTimeoutMillis() / IDLE_CHECKS_PER_TIMEOUT);
  }

  @Override
  public void channelRead(ChannelHandlerContext unused, Object message) {
    ByteBuf frame = (ByteBuf) message;
    int bytes = frame.readableBytes();
    CallTimeline timeline =
        received++ % CALLS_PER_SAMPLE == 0 ? new CallTimeline(System.nanoTime()) : null;
    boolean accepted = false;
    try {
      accepted = accept(RequestFrame.read(frame), timeline);
    } finally {
      frame.release();
      if (!accepted) {
        account.release(bytes);
      }
    }
  }

  /**
   * Dispatches the frame as a call, which later releases the frame from the account. Returns false
   * if the frame is not accepted.
   */
  private boolean accept(RequestFrame frame, @Nullable CallTimeline timeline) {
    touch();
    if (!channel.isActive()) {
      return false; // the connection was closed by an earlier frame in the same packet
    }
    int callId = frame.header().getCallId();
    if (!frame.header().hasRemoteMethod()) {
      drop("call " + callId + " has no method name");
    } else if (inFlight.containsKey(callId)) {
      drop("two calls with id " + callId + " at the same time");
    } else {
      RpcCall call = new RpcCall(this, frame, timeline);
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
      context.close(); // the peer closed the connection; this is not an error
    } else {
      server.logInternal(context, cause);
      context.close();
    }
  }

  /** Any thread may call it. */
  Caller caller() {
    return caller;
  }

  /** Any thread may call it. */
  InboundAccount account() {
    return account;
  }

  /** Records that a call that ran on a worker thread is answered. Any thread may call it. */
  void answered(RpcCall call, long handlerNanos) {
    server.answered(call, handlerNanos);
  }

  /** Any thread may call it. */
  RpcMetrics metrics() {
    return server.metrics();
  }

  /** Any thread may call it. */
  int maxFrameBytes() {
    return server.options().maxFrameBytes();
  }

  /** Any thread may call it. */
  ByteBufAllocator allocator() {
    return channel.alloc();
  }

  /** Any thread may call it. */
  EventLoop eventLoop() {
    return channel.eventLoop();
  }

  /** The server's address of this connection, for messages. Any thread may call it. */
  String receivedAt() {
    if (LocalSockets.isLocal(channel)) {
      return "the Unix-domain socket";
    }
    SocketAddress address = channel.localAddress();
    return address == null ? "a closed connection" : LocalSockets.text(address);
  }

  /**
   * Whether the client reads its responses: the unsent bytes are below the limit. True for a closed
   * connection. Any thread may call it.
   */
  boolean isWritable() {
    boolean roomy = handedBytes.get() < server.options().outboundHighWaterBytes();
    return (roomy && channel.isWritable()) || !channel.isActive();
  }

  /**
   * Runs {@code retry} when the client reads again; never if the connection is closed. Any thread
   * may call it.
   */
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
   * Sends a response. Takes the buffers. Any thread may call it.
   *
   * @param bytes total size of the parts
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
    ChannelFuture sending = context.writeAndFlush(parts.get(last));
    sending.addListener(this::sent);
    CallTimeline timeline = call.timeline();
    if (timeline != null) {
      sending.addListener(done -> timed(call, timeline));
    }
    updateReading();
  }

  private void timed(RpcCall call, CallTimeline timeline) {
    timeline.reached(CallTimeline.Stage.SENT);
    if (call.isStarted()) {
      server.metrics().callTimed(call.service(), call.method(), timeline);
    }
  }

  private void sent(Future<?> done) {
    completedWrites++;
    touch();
  }

  /** A snapshot of the connection; empty if the event loop is stopped. Any thread may call it. */
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

  /** Cancels the call at its deadline if it is still in flight. Any thread may call it. */
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
    boolean stuck = isUnsent() && !hasSendProgressed();
    if (!stuck) {
      stuckSinceNanos = now;
    }
    long stuckMillis = TimeUnit.NANOSECONDS.toMillis(now - stuckSinceNanos);
    long silentMillis = TimeUnit.NANOSECONDS.toMillis(now - lastActivityNanos.get());
    if (stuck && stuckMillis >= limitMillis) {
      drop(
          "the client read nothing of its responses for %d ms; %d calls are cancelled"
              .formatted(stuckMillis, inFlight.size()));
    } else if (isUnsent() || !inFlight.isEmpty()) {
      scheduleIdleCheck(limitMillis / IDLE_CHECKS_PER_TIMEOUT);
    } else if (silentMillis >= limitMillis) {
      context.close();
    } else {
      scheduleIdleCheck(limitMillis - silentMillis);
    }
  }

  /** Whether responses are unsent, or calls are parked until responses are sent. */
  private boolean isUnsent() {
    ChannelOutboundBuffer outbound = channel.unsafe().outboundBuffer();
    return (outbound != null && !outbound.isEmpty()) || !parked.isEmpty();
  }

  /** Whether at least one byte was sent since the last call of this method. */
  private boolean hasSendProgressed() {
    ChannelOutboundBuffer outbound = channel.unsafe().outboundBuffer();
    long progress = outbound == null ? 0 : outbound.currentProgress();
    boolean moved = progress != lastProgress || completedWrites != lastCompletedWrites;
    lastProgress = progress;
    lastCompletedWrites = completedWrites;
    return moved;
  }
}
