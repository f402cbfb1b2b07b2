package dev.kudu4j.server.transport;

import dev.kudu4j.common.rpc.RateLimitedLog;
import dev.kudu4j.common.rpc.frame.FrameDecoder;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.group.ChannelGroup;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.ratis.thirdparty.com.google.protobuf.MessageLite;
import org.apache.ratis.thirdparty.com.google.protobuf.StringValue;
import org.apache.ratis.util.Timestamp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that another server opened: requests in, answers out. The event loop parses a
 * request and hands it to the {@link Receivers}; whoever completes it puts the answer into the
 * outbox.
 */
final class IncomingConnection extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(IncomingConnection.class);
  private static final RateLimitedLog WARNINGS = new RateLimitedLog(LOG);

  private static final int SILENT_SECONDS = 15;
  private static final int HELLO_BYTES = 256;

  private final RaftServer server;
  private final Receivers receivers;
  private final FrameDecoder decoder;
  private final int maxFrameBytes;
  private final Outbox outbox;
  private final Channel channel;
  private final AtomicLong unhandledBytes = new AtomicLong();

  // Both are the event loop's.
  private boolean greeted;
  private boolean broken; // what else was read is dropped

  private IncomingConnection(
      RaftServer server,
      Receivers receivers,
      FrameDecoder decoder,
      int maxFrameBytes,
      Channel channel,
      LongAdder flushes) {
    this.server = server;
    this.receivers = receivers;
    this.decoder = decoder;
    this.maxFrameBytes = maxFrameBytes;
    this.channel = channel;
    this.outbox = new Outbox(channel, flushes);
  }

  /**
   * What each connection to the Raft port gets.
   *
   * @param open gets them all
   */
  static ChannelInitializer<Channel> initializer(
      RaftServer server,
      Receivers receivers,
      int maxFrameBytes,
      LongAdder flushes,
      ChannelGroup open) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel opened) {
        FrameDecoder decoder = FrameDecoder.forServer(HELLO_BYTES);
        open.add(opened);
        opened
            .pipeline()
            .addLast(
                new IdleStateHandler(SILENT_SECONDS, 0, 0, TimeUnit.SECONDS),
                decoder,
                new IncomingConnection(server, receivers, decoder, maxFrameBytes, opened, flushes));
      }
    };
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws IOException {
    ByteBuf frame = (ByteBuf) message;
    try {
      if (broken) {
        return;
      }
      if (frame.readableBytes() < Frame.HEAD_BYTES) {
        throw new IOException("A request of " + frame.readableBytes() + " bytes");
      }
      MessageKind kind = MessageKind.of(frame.readUnsignedByte());
      long call = frame.readLong();
      int bytes = frame.readableBytes();
      if (!greeted) {
        hello(kind, Frame.body(frame));
      } else {
        request(kind, call, Frame.body(frame), bytes);
      }
    } finally {
      frame.release(); // of the heap: what was parsed aliases the array, which stays
    }
  }

  private void hello(MessageKind kind, CodedInputStream body) throws IOException {
    if (kind != MessageKind.HELLO) {
      throw new IOException("No greeting");
    }
    String text = StringValue.parseFrom(body).getValue();
    Hello hello = Hello.parse(text);
    if (hello == null) {
      throw new IOException("No greeting");
    }
    if (!hello.to().equals(server.getId().toString())) {
      throw new IOException(hello.from() + " looks for " + hello.to() + ", which is not here");
    }
    greeted = true;
    decoder.maxFrameBytes(maxFrameBytes);
    outbox.add(Frame.answer(kind, 0, StringValue.of(text)));
  }

  private void request(MessageKind kind, long call, CodedInputStream body, int bytes)
      throws IOException {
    if (kind == null) {
      throw new IOException("A request of no known kind");
    }
    switch (kind) {
      case PING -> outbox.add(Frame.answer(kind, call, StringValue.getDefaultInstance()));
      case APPEND -> append(call, AppendEntriesRequestProto.parseFrom(body), bytes);
      case VOTE -> {
        RequestVoteRequestProto request = RequestVoteRequestProto.parseFrom(body);
        Timestamp came = Timestamp.currentTime();
        receivers.votes.execute(() -> answer(kind, call, () -> vote(request, came)));
      }
      case ELECT -> {
        var request = StartLeaderElectionRequestProto.parseFrom(body);
        receivers.votes.execute(
            () -> answer(kind, call, () -> server.startLeaderElection(request)));
      }
      case NOTICE -> {
        var request = InstallSnapshotRequestProto.parseFrom(body);
        receivers.votes.execute(() -> answer(kind, call, () -> server.installSnapshot(request)));
      }
      case HELLO, FAILED -> throw new IOException("A request of kind " + kind);
    }
  }

  /**
   * A candidate that has waited for a whole time-out stands again: to answer what it asked before
   * would only unseat whoever leads meanwhile. When hundreds of groups elect at once, this is what
   * ends it.
   */
  private MessageLite vote(RequestVoteRequestProto request, Timestamp came) throws IOException {
    if (came.elapsedTimeMs() > receivers.voteMillis) {
      throw new IOException("The vote is refused: it waited for too long");
    }
    return NewMembersVote.give(server, request);
  }

  private void append(long call, AppendEntriesRequestProto request, int bytes) {
    if (request.getEntriesCount() == 0) {
      receivers.heartbeats.execute(() -> handOver(call, request));
      return;
    }
    if (unhandledBytes.addAndGet(bytes) > TransportOptions.UNHANDLED_BYTES) {
      channel.config().setAutoRead(false);
    }
    receivers.appends.execute(
        request.getServerRequest().getRaftGroupId().getId(),
        () -> {
          handOver(call, request);
          handled(bytes);
        });
  }

  private void handled(int bytes) {
    if (unhandledBytes.addAndGet(-bytes) <= TransportOptions.UNHANDLED_BYTES / 2
        && !channel.config().isAutoRead()) {
      channel.config().setAutoRead(true);
    }
  }

  /** To Ratis, which logs entries in the order of these calls, and is done with them later. */
  private void handOver(long call, AppendEntriesRequestProto request) {
    try {
      CompletableFuture<? extends MessageLite> reply = server.appendEntriesAsync(request);
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
    LOG.debug("A request of {} failed", channel.remoteAddress(), cause);
    outbox.add(Frame.answer(MessageKind.FAILED, call, StringValue.of(cause.toString())));
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (channel.isWritable()) {
      outbox.writable();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof IdleStateEvent && channel.config().isAutoRead()) {
      context.close();
    } else {
      context.fireUserEventTriggered(event);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    boolean closing = cause instanceof RejectedExecutionException; // the server
    if (!broken && !closing) {
      WARNINGS.warn(
          "Raft's connection from {} is closed: {}",
          context.channel().remoteAddress(),
          cause.getMessage());
    }
    broken = true;
    context.close();
  }
}
