package dev.kudu4j.server.transport;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.common.rpc.RateLimitedLog;
import dev.kudu4j.common.rpc.frame.FrameDecoder;
import dev.kudu4j.common.security.ClusterSecret;
import dev.kudu4j.server.transport.Handshake.Role;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.ratis.thirdparty.com.google.protobuf.Empty;
import org.apache.ratis.thirdparty.com.google.protobuf.MessageLite;
import org.apache.ratis.thirdparty.com.google.protobuf.StringValue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to another server, which carries calls to that server and its responses. It is
 * opened on first use and reopened, after pauses, while its owner needs it.
 *
 * <pre>
 *   DOWN --connect, or a call--&gt; CONNECTING --HELLO answered--&gt; UP
 *    ^  &lt;----- refused -------------|                            |
 *    '--------------------------- lost, or silent ---------------'
 * </pre>
 *
 * <p>A call that is sent during a pause fails immediately; a call that is sent while the connection
 * is being opened waits until the opening has succeeded or failed. When the connection is lost, all
 * unanswered calls fail. Thread-safe.
 */
final class OutgoingConnection {
  private static final Logger LOG = LoggerFactory.getLogger(OutgoingConnection.class);
  private static final RateLimitedLog WARNINGS = new RateLimitedLog(LOG);

  private static final int CONNECT_MILLIS = 2_000;
  private static final int SILENT_MILLIS = 1_000;
  private static final int MAX_PINGS = 2;
  private static final int FIRST_PAUSE_MILLIS = 20;
  private static final int LONGEST_PAUSE_MILLIS = 500;

  /** Receives connection events, on an event loop; must not block. */
  interface Owner {
    /** The connection is open: calls can be sent. */
    void up();

    /** Whether the connection is still needed, so that it is reopened when it is lost. */
    boolean isNeeded();
  }

  private enum State {
    DOWN,
    PAUSED,
    CONNECTING,
    UP,
    CLOSED
  }

  private final Hello hello;
  private final Optional<ClusterSecret> secret;
  private final Supplier<InetSocketAddress> address;
  private final Bootstrap bootstrap;
  private final Owner owner;
  private final LongAdder flushes;
  private final AtomicLong lastCall = new AtomicLong();
  private final Map<Long, AnswerHandler> calls = new ConcurrentHashMap<>();

  @GuardedBy("this")
  private State state = State.DOWN;

  @GuardedBy("this")
  private final List<Frame> early = new ArrayList<>(); // sent while connecting

  @GuardedBy("this")
  private @Nullable Channel channel; // null unless connecting or up

  @GuardedBy("this")
  private int failures; // in a row

  private volatile @Nullable Outbox outbox; // null unless up

  /**
   * @param hello the greeting, without a nonce
   * @param secret the cluster secret that the other server must hold too
   * @param bootstrap opens connections; this class adds the handler
   * @param flushes counts flushes of channels
   */
  OutgoingConnection(
      Hello hello,
      Optional<ClusterSecret> secret,
      Supplier<InetSocketAddress> address,
      Bootstrap bootstrap,
      int maxFrameBytes,
      Owner owner,
      LongAdder flushes) {
    this.hello = hello;
    this.secret = secret;
    this.address = address;
    this.owner = owner;
    this.flushes = flushes;
    this.bootstrap =
        bootstrap
            .clone()
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
            .option(ChannelOption.WRITE_BUFFER_WATER_MARK, Outbox.WATER_MARK)
            .handler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel opened) {
                    FrameDecoder decoder = FrameDecoder.forServer(Frame.GREETING_BYTES);
                    opened
                        .pipeline()
                        .addLast(
                            new IdleStateHandler(SILENT_MILLIS, 0, 0, TimeUnit.MILLISECONDS),
                            decoder,
                            new Line(() -> decoder.maxFrameBytes(maxFrameBytes)));
                  }
                });
  }

  boolean isUp() {
    return outbox != null;
  }

  /** Opens the connection, unless it is open, being opened or paused. */
  synchronized void connect() {
    if (state != State.DOWN) {
      return;
    }
    state = State.CONNECTING;
    ChannelFuture connecting = bootstrap.connect(address.get());
    channel = connecting.channel();
    connecting.addListener(
        done -> {
          if (!done.isSuccess()) {
            lost(connecting.channel(), done.cause());
          }
        });
  }

  /** Sends a call. The handler may be called before this method returns. */
  void send(MessageKind kind, MessageLite body, AnswerHandler handler) {
    long call = lastCall.incrementAndGet();
    Frame frame = Frame.request(kind, call, body);
    calls.put(call, handler);
    if (!accepted(frame) && calls.remove(call) != null) {
      handler.failed(CallFailure.ofConnection(this + " is down", null));
    }
  }

  private boolean accepted(Frame frame) {
    Outbox open = outbox;
    if (open != null) {
      open.add(frame); // a later loss of the connection fails the call
      return outbox == open;
    }
    synchronized (this) {
      connect();
      if (state == State.UP) {
        Objects.requireNonNull(outbox, "the connection is up").add(frame);
      } else if (state == State.CONNECTING) {
        early.add(frame);
      }
      return state == State.UP || state == State.CONNECTING;
    }
  }

  private void greeted(Channel open) {
    synchronized (this) {
      if (channel != open || state != State.CONNECTING) {
        return;
      }
      state = State.UP;
      failures = 0;
      Outbox box = new Outbox(open, flushes);
      early.forEach(box::add);
      early.clear();
      outbox = box;
    }
    owner.up();
  }

  private void lost(Channel gone, @Nullable Throwable cause) {
    List<AnswerHandler> unanswered;
    synchronized (this) {
      if (channel != gone) {
        return; // already handled
      }
      if (state == State.UP) {
        LOG.info("{} is lost: {}", this, String.valueOf(cause));
      }
      channel = null;
      outbox = null;
      early.clear();
      unanswered = takeCalls();
      if (state != State.CLOSED) {
        state = State.PAUSED;
        pause(Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(failures++, 10)));
      }
    }
    gone.close();
    CallFailure failure = CallFailure.ofConnection(this + " is lost", cause);
    unanswered.forEach(handler -> handler.failed(failure));
  }

  @SuppressWarnings("ModifyCollectionInEnhancedForLoop") // the map is concurrent
  private List<AnswerHandler> takeCalls() {
    List<AnswerHandler> taken = new ArrayList<>();
    for (Long call : calls.keySet()) {
      AnswerHandler handler = calls.remove(call);
      if (handler != null) {
        taken.add(handler);
      }
    }
    return taken;
  }

  private void pause(int millis) {
    try {
      bootstrap.config().group().schedule(this::pauseOver, millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("{} is not opened again: the loops are closed", this, e);
    }
  }

  private void pauseOver() {
    synchronized (this) {
      if (state == State.PAUSED) {
        state = State.DOWN;
      }
    }
    if (owner.isNeeded()) {
      connect();
    }
  }

  void close() {
    Channel open;
    synchronized (this) {
      open = channel;
      state = State.CLOSED;
    }
    if (open != null) {
      lost(open, null);
    }
  }

  @Override
  public String toString() {
    return "The " + hello.purpose() + " connection to " + hello.to() + " at " + address.get();
  }

  /** Handles incoming frames, on the event loop. */
  private final class Line extends ChannelInboundHandlerAdapter {
    private final Runnable allowLongFrames;
    private final Hello sentHello = secret.isPresent() ? hello.withNonce(Handshake.nonce()) : hello;
    private boolean proved; // this end has sent its proof; the other end has not confirmed it yet
    private boolean greeted;
    private int pings;

    Line(Runnable allowLongFrames) {
      this.allowLongFrames = allowLongFrames;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
      say(context, MessageKind.HELLO, sentHello.text());
    }

    private void say(ChannelHandlerContext context, MessageKind kind, String text) {
      Frame frame = Frame.request(kind, 0, StringValue.of(text));
      ByteBuf out = context.alloc().directBuffer(frame.bytes(), frame.bytes());
      frame.writeTo(out);
      context.writeAndFlush(out, context.voidPromise());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws IOException {
      pings = 0;
      ByteBuf frame = (ByteBuf) message;
      try {
        read(context, frame);
      } finally {
        frame.release();
      }
    }

    private void read(ChannelHandlerContext context, ByteBuf frame) throws IOException {
      if (frame.readableBytes() < Frame.HEAD_BYTES) {
        throw new IOException("A response has only " + frame.readableBytes() + " bytes");
      }
      MessageKind kind = MessageKind.of(frame.readUnsignedByte() & ~Frame.ANSWER);
      long call = frame.readLong();
      CodedInputStream body = Frame.body(frame);
      if (!greeted) {
        greeting(context, kind, StringValue.parseFrom(body).getValue());
        return;
      }
      AnswerHandler handler = calls.remove(call);
      if (handler == null || kind == null) {
        return; // the response to a ping
      }
      if (kind == MessageKind.FAILED) {
        handler.failed(CallFailure.atPeer(StringValue.parseFrom(body).getValue()));
      } else {
        answer(handler, body);
      }
    }

    private void answer(AnswerHandler handler, CodedInputStream body) throws IOException {
      try {
        handler.answered(body);
      } catch (IOException e) {
        handler.failed(CallFailure.ofConnection("A response cannot be parsed", e));
        throw e;
      }
    }

    private void greeting(ChannelHandlerContext context, @Nullable MessageKind kind, String text)
        throws IOException {
      if (kind == MessageKind.FAILED) {
        throw refusal(Refusal.of(text));
      }
      boolean done;
      if (secret.isEmpty()) {
        done = kind == MessageKind.HELLO && text.equals(sentHello.text());
      } else if (proved) {
        done = kind == MessageKind.PROOF;
      } else {
        prove(context, kind == MessageKind.HELLO ? Handshake.Answer.parse(text) : null);
        return;
      }
      if (!done) {
        throw unexpectedServer();
      }
      greeted = true;
      allowLongFrames.run();
      greeted(context.channel());
    }

    /** Verifies the other end's proof, then proves this end's identity. */
    private void prove(ChannelHandlerContext context, Handshake.@Nullable Answer answer)
        throws IOException {
      ClusterSecret ours = secret.orElseThrow();
      if (answer == null) {
        throw unexpectedServer();
      }
      if (!Handshake.verify(ours, Role.CALLED, sentHello, answer.nonce(), answer.proof())) {
        say(context, MessageKind.FAILED, Refusal.WRONG_SECRET.name());
        throw refusal(Refusal.WRONG_SECRET);
      }
      proved = true;
      say(
          context,
          MessageKind.PROOF,
          Handshake.prove(ours, Role.CALLER, sentHello, answer.nonce()));
    }

    private IOException unexpectedServer() {
      return new IOException("An unexpected server answers at " + address.get());
    }

    private IOException refusal(@Nullable Refusal refusal) {
      String reason = refusal == null ? "for an unknown reason" : refusal.forCaller();
      WARNINGS.warn("{} is refused: {}", OutgoingConnection.this, reason);
      return new IOException("Refused: " + reason);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      if (!(event instanceof IdleStateEvent)) {
        context.fireUserEventTriggered(event);
      } else if (++pings > MAX_PINGS || !greeted) {
        lost(context.channel(), new IOException("the other server does not answer"));
      } else {
        Outbox open = outbox;
        if (open != null) {
          open.add(Frame.request(MessageKind.PING, 0, Empty.getDefaultInstance()));
        }
      }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
      Outbox open = outbox;
      if (open != null && context.channel().isWritable()) {
        open.writable();
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      lost(context.channel(), null);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      lost(context.channel(), cause);
    }
  }
}
