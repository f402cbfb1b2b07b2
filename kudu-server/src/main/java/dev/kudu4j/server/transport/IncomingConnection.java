package dev.kudu4j.server.transport;

import dev.kudu4j.common.rpc.RateLimitedLog;
import dev.kudu4j.common.rpc.frame.FrameDecoder;
import dev.kudu4j.common.rpc.frame.InboundAccount;
import dev.kudu4j.common.rpc.frame.InboundMemory;
import dev.kudu4j.common.rpc.frame.ReadSwitch;
import dev.kudu4j.common.security.ClusterSecret;
import dev.kudu4j.server.transport.Handshake.Role;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.group.ChannelGroup;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.BytesValue;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.ratis.thirdparty.com.google.protobuf.MessageLite;
import org.apache.ratis.thirdparty.com.google.protobuf.StringValue;
import org.apache.ratis.util.Timestamp;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that another server opened: requests in, responses out. The event loop parses a
 * request and passes it to the {@link Receivers}; the thread that completes the request adds the
 * response to the {@link Outbox}.
 *
 * <pre>
 *   NEW --HELLO--&gt; AWAITING_ADDRESS --known, from its address--&gt; GREETED
 *    '----HELLO--&gt; PROVING ----------PROOF---------------------&gt; GREETED  with cluster secret
 * </pre>
 *
 * <p>Before the greeting is complete, the other end is not trusted: frames must be short, time is
 * limited, and any error closes the connection. After the greeting, every request is still checked
 * ({@link MessageCheck}) before it is passed to Ratis.
 *
 * <p>The connection is not read while too many bytes of its requests wait to be handled, nor while
 * the other end does not read the responses.
 */
final class IncomingConnection extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(IncomingConnection.class);
  private static final RateLimitedLog WARNINGS = new RateLimitedLog(LOG);

  private static final int SILENT_SECONDS = 15;
  private static final int HELLO_MILLIS = 5_000;

  /** Memory for the objects of a parsed request, in addition to its bytes. */
  private static final int REQUEST_BYTES = 512;

  /** Longer appends are checked by {@link MessageCheck#shape} before they are parsed. */
  private static final int SHORT_BYTES = 64 << 10;

  /**
   * The state that all connections to the Raft port share.
   *
   * @param memory memory of the unhandled requests of all connections
   * @param flushes counts flushes of channels
   */
  record Context(
      RaftServer server,
      MessageCheck check,
      Receivers receivers,
      PeerDirectory directory,
      IncomingConnections connections,
      Optional<ClusterSecret> secret,
      int maxFrameBytes,
      InboundMemory memory,
      LongAdder flushes) {}

  private enum State {
    NEW,
    AWAITING_ADDRESS,
    PROVING,
    GREETED,

    /** All further frames are dropped. */
    BROKEN
  }

  private final Context shared;
  private final FrameDecoder decoder;
  private final Outbox outbox;
  private final Channel channel;
  private final InboundAccount account;
  private final AtomicLong unhandledBytes = new AtomicLong();
  private volatile boolean tooManyUnhandled; // too many bytes are unhandled
  private volatile long lastReadNanos = System.nanoTime();
  private volatile @Nullable Sender sender; // null until greeted

  // Only the event loop accesses these.
  private State state = State.NEW;
  private @Nullable Hello hello; // null when NEW
  private @Nullable String nonce; // of this server; null before PROVING
  private boolean resolving;

  private IncomingConnection(Context shared, FrameDecoder decoder, Channel channel) {
    this.shared = shared;
    this.decoder = decoder;
    this.channel = channel;
    this.account = shared.memory.open();
    this.outbox = new Outbox(channel, shared.flushes);
  }

  /**
   * Sets up each connection to the Raft port.
   *
   * @param open receives all open connections
   */
  static ChannelInitializer<Channel> initializer(Context shared, ChannelGroup open) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel opened) {
        FrameDecoder decoder = FrameDecoder.forServer(Frame.GREETING_BYTES);
        IncomingConnection connection = new IncomingConnection(shared, decoder, opened);
        decoder.chargeTo(connection.account);
        open.add(opened);
        opened
            .pipeline()
            .addLast(
                new IdleStateHandler(SILENT_SECONDS, 0, 0, TimeUnit.SECONDS), decoder, connection);
      }
    };
  }

  // ---- greeting

  @Override
  public void channelActive(ChannelHandlerContext context) {
    if (channel.remoteAddress() == null) {
      context.close(); // already closed
      return;
    }
    shared.connections.opened(this, remoteAddress());
    var unused =
        context
            .executor()
            .schedule(
                () -> {
                  if (state != State.GREETED) {
                    context.close();
                  }
                },
                HELLO_MILLIS,
                TimeUnit.MILLISECONDS);
  }

  private InetAddress remoteAddress() {
    return ((InetSocketAddress) channel.remoteAddress()).getAddress();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws IOException {
    ByteBuf frame = (ByteBuf) message;
    int bytes = frame.readableBytes();
    boolean kept = false;
    try {
      kept = read(frame);
    } finally {
      frame.release(); // a heap buffer: parsed requests alias its array, which stays valid
      if (!kept) {
        account.release(bytes);
      }
    }
  }

  /** Handles a frame. Returns whether the frame is a request that now waits to be handled. */
  private boolean read(ByteBuf frame) throws IOException {
    if (state == State.BROKEN) {
      return false;
    }
    if (frame.readableBytes() < Frame.HEAD_BYTES) {
      throw new IOException("A request has only " + frame.readableBytes() + " bytes");
    }
    lastReadNanos = System.nanoTime();
    MessageKind kind = MessageKind.of(frame.readUnsignedByte());
    long call = frame.readLong();
    if (state == State.GREETED) {
      return request(kind, call, frame);
    }
    greeting(kind, Frame.body(frame));
    return false;
  }

  private void greeting(@Nullable MessageKind kind, CodedInputStream body) throws IOException {
    if (state == State.NEW && kind == MessageKind.HELLO) {
      hello(StringValue.parseFrom(body).getValue());
    } else if (state == State.PROVING && kind == MessageKind.PROOF) {
      proof(StringValue.parseFrom(body).getValue());
    } else if (state == State.PROVING && kind == MessageKind.FAILED) {
      throw new IOException(hello().from() + " does not hold the same cluster secret");
    } else {
      throw new IOException("No greeting");
    }
  }

  private void hello(String text) throws IOException {
    Hello received = Hello.parse(text);
    if (received == null) {
      throw new IOException("No greeting");
    }
    hello = received;
    if (!received.to().equals(shared.server.getId().toString())) {
      refuse(
          Refusal.NOT_HERE, received.from() + " calls server " + received.to() + ", not this one");
    } else if (shared.secret.isEmpty() && received.wantsProof()) {
      refuse(
          Refusal.HAS_NO_SECRET,
          received.from() + " has a cluster secret; start this server with --cluster_secret_file");
    } else if (shared.secret.isEmpty()) {
      state = State.AWAITING_ADDRESS;
      checkAddress();
    } else if (!received.wantsProof()) {
      refuse(Refusal.NEEDS_SECRET, received.from() + " did not offer proof of the cluster secret");
    } else {
      Handshake.Answer answer = Handshake.Answer.to(received, shared.secret.get());
      nonce = answer.nonce();
      state = State.PROVING;
      outbox.add(Frame.answer(MessageKind.HELLO, 0, StringValue.of(answer.text())));
    }
  }

  private Hello hello() {
    return Objects.requireNonNull(hello, "the connection begins with a greeting");
  }

  private Sender sender() {
    assert sender != null : "the sender is known before its first request";
    return sender;
  }

  private void proof(String proof) {
    String ours = Objects.requireNonNull(nonce, "a connection proves itself after the answer");
    if (Handshake.verify(shared.secret.orElseThrow(), Role.CALLER, hello(), ours, proof)) {
      greeted(true);
      outbox.add(Frame.answer(MessageKind.PROOF, 0, StringValue.getDefaultInstance()));
    } else {
      refuse(Refusal.WRONG_SECRET, hello().from() + " does not hold the same cluster secret");
    }
  }

  /**
   * Compares the connection's address with the known hosts of the server that the HELLO names. If
   * no host is known, the connection waits until one becomes known or the greeting times out.
   */
  private void checkAddress() {
    Set<String> hosts = shared.directory.find(hello().from());
    if (hosts.isEmpty() || resolving) {
      return;
    }
    InetAddress address = remoteAddress();
    if (PeerDirectory.areLiteral(hosts)) {
      addressChecked(PeerDirectory.isOneOf(address, hosts), hosts);
    } else {
      resolving = true;
      shared.receivers.resolvers.execute(
          () -> {
            boolean right = PeerDirectory.isOneOf(address, hosts);
            execute(() -> addressChecked(right, hosts));
          });
    }
  }

  private void addressChecked(boolean right, Set<String> hosts) {
    resolving = false;
    if (state != State.AWAITING_ADDRESS) {
      return;
    }
    if (right) {
      greeted(false);
      outbox.add(Frame.answer(MessageKind.HELLO, 0, StringValue.of(hello().text())));
    } else {
      refuse(Refusal.WRONG_ADDRESS, "server " + hello().from() + " is known at " + hosts + " only");
    }
  }

  private void greeted(boolean proven) {
    sender = new Sender(RaftPeerId.valueOf(hello().from()), proven);
    state = State.GREETED;
    decoder.maxFrameBytes(shared.maxFrameBytes);
    shared.connections.greeted(this, hello(), proven);
  }

  private void refuse(Refusal refusal, String reason) {
    WARNINGS.warn("Raft's connection from {} is refused: {}", channel.remoteAddress(), reason);
    state = State.BROKEN;
    Frame answer = Frame.answer(MessageKind.FAILED, 0, StringValue.of(refusal.name()));
    ByteBuf out = channel.alloc().directBuffer(answer.bytes(), answer.bytes());
    answer.writeTo(out);
    var unused = channel.writeAndFlush(out).addListener(ChannelFutureListener.CLOSE);
  }

  /**
   * Called by any thread when a host of {@code server} has become known. If this connection waits
   * for a host of that server, its address is checked again.
   */
  void becameKnown(String server) {
    execute(
        () -> {
          if (state == State.AWAITING_ADDRESS && hello().from().equals(server)) {
            checkAddress();
          }
        });
  }

  private void execute(Runnable action) {
    try {
      channel.eventLoop().execute(action);
    } catch (RejectedExecutionException e) {
      LOG.debug("Skipped an action on a Raft connection: the server is closing", e);
    }
  }

  /** Nanoseconds since the last complete frame arrived. */
  long silentNanos() {
    return System.nanoTime() - lastReadNanos;
  }

  void close() {
    channel.close();
  }

  // ---- requests

  /** Handles a request. Returns whether the request now waits for another thread. */
  private boolean request(@Nullable MessageKind kind, long call, ByteBuf frame) throws IOException {
    if (kind == null) {
      throw new IOException("A request has an unknown kind");
    }
    int bytes = frame.readableBytes() + Frame.HEAD_BYTES;
    Receivers receivers = shared.receivers;
    CodedInputStream body = Frame.body(frame);
    switch (kind) {
      case PING -> {
        outbox.add(Frame.answer(kind, call, StringValue.of(Beats.FEATURE)));
        return false;
      }
      case BEATS -> {
        ByteString groups = BytesValue.parseFrom(body).getValue();
        handle(
            receivers.heartbeats,
            bytes,
            () -> answer(kind, call, () -> Beats.hear(shared.server, sender(), groups)));
      }
      case APPEND -> {
        if (bytes > SHORT_BYTES) {
          MessageCheck.shape(Frame.body(frame), bytes);
        }
        append(call, AppendEntriesRequestProto.parseFrom(body), bytes);
      }
      case VOTE -> {
        RequestVoteRequestProto request = RequestVoteRequestProto.parseFrom(body);
        Timestamp receivedAt = Timestamp.currentTime();
        handle(receivers.votes, bytes, () -> answer(kind, call, () -> vote(request, receivedAt)));
      }
      case ELECT -> {
        var request = StartLeaderElectionRequestProto.parseFrom(body);
        handle(receivers.votes, bytes, () -> answer(kind, call, () -> elect(request)));
      }
      case NOTICE -> {
        var request = InstallSnapshotRequestProto.parseFrom(body);
        handle(receivers.votes, bytes, () -> answer(kind, call, () -> notice(request)));
      }
      case HELLO, FAILED, PROOF -> throw new IOException("A request has kind " + kind);
    }
    return true;
  }

  /** Runs the action on the executor; until it ends, the request counts as unhandled. */
  private void handle(Executor executor, int bytes, Runnable action) {
    addUnhandledBytes(bytes);
    executor.execute(
        () -> {
          try {
            action.run();
          } finally {
            releaseHandledBytes(bytes);
          }
        });
  }

  /**
   * Answers a vote request. A request that has waited for a whole election timeout is rejected: its
   * candidate has started another election, and the vote could only depose a leader elected in the
   * meantime. When hundreds of groups hold elections at the same time, this rule lets the elections
   * finish.
   */
  private MessageLite vote(RequestVoteRequestProto request, Timestamp receivedAt)
      throws IOException {
    if (receivedAt.elapsedTimeMs() > shared.receivers.voteMillis) {
      throw new IOException("The vote request waited for more than an election timeout");
    }
    shared.check.vote(sender(), request);
    return NewMembersVote.give(shared.server, request);
  }

  private MessageLite elect(StartLeaderElectionRequestProto request) throws IOException {
    shared.check.elect(sender(), request);
    return shared.server.startLeaderElection(request);
  }

  private MessageLite notice(InstallSnapshotRequestProto request) throws IOException {
    shared.check.notice(sender(), request);
    return shared.server.installSnapshot(request);
  }

  private void append(long call, AppendEntriesRequestProto request, int bytes) {
    if (request.getEntriesCount() == 0) {
      handle(shared.receivers.heartbeats, bytes, () -> passToRatis(call, request));
    } else {
      handle(
          action ->
              shared.receivers.appends.execute(
                  request.getServerRequest().getRaftGroupId().getId(), action),
          bytes,
          () -> passToRatis(call, request));
    }
  }

  private void addUnhandledBytes(int bytes) {
    if (unhandledBytes.addAndGet(bytes + REQUEST_BYTES) > TransportOptions.UNHANDLED_BYTES) {
      tooManyUnhandled = true;
      updateReading();
    }
  }

  private void releaseHandledBytes(int bytes) {
    account.release(bytes);
    if (unhandledBytes.addAndGet(-bytes - REQUEST_BYTES) <= TransportOptions.UNHANDLED_BYTES / 2
        && tooManyUnhandled) {
      tooManyUnhandled = false;
      updateReading();
    }
  }

  /**
   * Pauses or resumes reading. Reading pauses while too many bytes are unhandled, and while the
   * channel is not writable because the other end does not read the responses.
   */
  private synchronized void updateReading() {
    ReadSwitch.of(channel)
        .allow(ReadSwitch.Reason.REQUESTS, channel.isWritable() && !tooManyUnhandled);
  }

  /**
   * Passes an append to Ratis, which logs entries in the order of these calls and completes them
   * later.
   */
  private void passToRatis(long call, AppendEntriesRequestProto request) {
    try {
      shared.check.append(sender(), request);
      CompletableFuture<? extends MessageLite> reply = shared.server.appendEntriesAsync(request);
      reply.whenComplete(
          (message, thrown) -> {
            if (thrown == null) {
              outbox.add(Frame.answer(MessageKind.APPEND, call, message));
            } else {
              failed(call, thrown);
            }
          });
    } catch (IOException | RuntimeException e) {
      failed(call, e);
    }
  }

  private interface Request {
    MessageLite run() throws IOException;
  }

  private void answer(MessageKind kind, long call, Request request) {
    try {
      outbox.add(Frame.answer(kind, call, request.run()));
    } catch (IOException | RuntimeException e) {
      failed(call, e);
    }
  }

  private void failed(long call, Throwable thrown) {
    Throwable cause =
        thrown instanceof CompletionException && thrown.getCause() != null
            ? thrown.getCause()
            : thrown;
    if (cause instanceof RejectedMessage) {
      WARNINGS.warn(
          "A Raft message of server {} at {} is not accepted: {}",
          sender().id(),
          channel.remoteAddress(),
          cause.getMessage());
    }
    LOG.debug("A request of {} failed", channel.remoteAddress(), cause);
    outbox.add(Frame.answer(MessageKind.FAILED, call, StringValue.of(cause.toString())));
  }

  // ---- the channel

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (channel.isWritable()) {
      outbox.writable();
    }
    updateReading();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof IdleStateEvent && !(tooManyUnhandled && channel.isWritable())) {
      context.close(); // the other end sends nothing, or does not read its responses
    } else {
      context.fireUserEventTriggered(event);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    shared.connections.closed(this, state == State.NEW ? null : hello);
    context.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    boolean closing = cause instanceof RejectedExecutionException; // the server is closing
    if (state != State.BROKEN && !closing) {
      WARNINGS.warn(
          "Raft's connection from {} is closed: {}",
          context.channel().remoteAddress(),
          cause.getMessage());
    }
    state = State.BROKEN;
    context.close();
  }
}
