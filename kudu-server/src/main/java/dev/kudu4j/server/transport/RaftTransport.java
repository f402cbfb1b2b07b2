package dev.kudu4j.server.transport;

import dev.kudu4j.common.rpc.EventLoops;
import dev.kudu4j.common.rpc.frame.InboundMemory;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionReplyProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.ratis.thirdparty.com.google.protobuf.MessageLite;
import org.apache.ratis.thirdparty.com.google.protobuf.Parser;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends and receives the Raft messages of all groups of this server.
 *
 * <p>Owns the port, the event loops, the threads that handle requests ({@link Receivers}), the
 * threads that run the appenders' steps, the timer, and the state of each other server ({@link
 * RemoteServer}). Ratis starts and closes the transport together with the Raft server.
 */
final class RaftTransport implements RaftServerRpc, VoteRequests {
  private static final Logger LOG = LoggerFactory.getLogger(RaftTransport.class);
  private static final int LOOPS = 2;
  private static final int PORT_CLOSE_MILLIS = 2_000;
  private static final int INBOUND_PATIENCE_MILLIS = 5_000;
  private static final long MIN_INBOUND_BYTES = 64 << 20;

  private final RpcType type;
  private final RaftServer server;
  private final TransportOptions options;
  private final int requestMillis;
  private final int tickMillis;
  private final Map<RaftPeerId, RemoteServer> remotes = new ConcurrentHashMap<>();
  private final LongAdder flushes = new LongAdder();

  private final EventLoops loops;
  private final Bootstrap outgoing;
  private final ChannelGroup incoming = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final IncomingConnections connections = new IncomingConnections();
  private final Receivers receivers;
  private final ExecutorService steps;
  private final ScheduledThreadPoolExecutor timer;
  private volatile @Nullable Channel port; // null until started

  RaftTransport(RpcType type, RaftServer server, TransportOptions options) {
    this.type = type;
    this.server = server;
    this.options = options;
    this.requestMillis =
        RaftServerConfigKeys.Rpc.requestTimeout(server.getProperties())
            .toIntExact(TimeUnit.MILLISECONDS);
    int shortestElectionMillis =
        RaftServerConfigKeys.Rpc.timeoutMin(server.getProperties())
            .toIntExact(TimeUnit.MILLISECONDS);
    this.tickMillis = shortestElectionMillis / 4;
    this.receivers = new Receivers(shortestElectionMillis);
    this.loops = EventLoops.open("raft-io", LOOPS);
    this.outgoing = loops.clientBootstrap();
    if (!options.bind().getAddress().isAnyLocalAddress()) {
      // Other servers compare a connection's source address with this server's known host.
      outgoing.localAddress(new InetSocketAddress(options.bind().getAddress(), 0));
    }
    this.steps = Executors.newFixedThreadPool(stepThreads(), daemonThreads("raft-appender"));
    this.timer = new ScheduledThreadPoolExecutor(1, daemonThreads("raft-timer"));
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    timer.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
  }

  private static int stepThreads() {
    return Math.max(2, Runtime.getRuntime().availableProcessors());
  }

  private static ThreadFactory daemonThreads(String name) {
    return new DefaultThreadFactory(name, true);
  }

  @Override
  public RpcType getRpcType() {
    return type;
  }

  @Override
  public void start() throws IOException {
    ChannelFuture bound =
        loops
            .serverBootstrap()
            .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, Outbox.WATER_MARK)
            .childHandler(
                IncomingConnection.initializer(
                    new IncomingConnection.Context(
                        server,
                        new MessageCheck(server),
                        receivers,
                        options.directory(),
                        connections,
                        options.secret(),
                        options.maxFrameBytes(),
                        new InboundMemory(inboundBytes(), INBOUND_PATIENCE_MILLIS),
                        flushes),
                    incoming))
            .bind(options.bind())
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException("Cannot bind " + options.bind(), bound.cause());
    }
    port = bound.channel();
    timer.scheduleAtFixedRate(this::tick, tickMillis, tickMillis, TimeUnit.MILLISECONDS);
  }

  /**
   * Limit of the memory for incoming messages. It is separate from the memory for client requests,
   * so client requests cannot delay heartbeats.
   */
  private static long inboundBytes() {
    return Math.max(MIN_INBOUND_BYTES, Runtime.getRuntime().maxMemory() / 16);
  }

  private void tick() {
    try {
      remotes.values().forEach(RemoteServer::tick);
    } catch (RuntimeException | Error e) { // an escaping exception would end all heartbeats
      LOG.error("Heartbeats failed; retrying", e);
    }
  }

  @Override
  public InetSocketAddress getInetSocketAddress() {
    return options.bind();
  }

  @Override
  public void addRaftPeers(Collection<RaftPeer> peers) {
    for (RaftPeer peer : peers) {
      if (!peer.getId().equals(server.getId()) && peer.getAddress() != null) {
        remote(peer);
      }
    }
  }

  /**
   * The state of another server. The address of {@code peer} replaces the server's known address,
   * because it comes from the most recent configuration.
   */
  private RemoteServer remote(RaftPeer peer) {
    InetSocketAddress address = address(peer.getAddress());
    RemoteServer known =
        remotes.computeIfAbsent(
            peer.getId(), id -> new RemoteServer(id, address, this::newConnection));
    if (!known.address().equals(address)) {
      known.movedTo(address);
    }
    if (options.directory().add(peer.getId().toString(), address.getHostString())) {
      connections.recheckPending(peer.getId().toString());
    }
    return known;
  }

  private static InetSocketAddress address(String hostAndPort) {
    int colon = hostAndPort.lastIndexOf(':');
    return InetSocketAddress.createUnresolved(
        hostAndPort.substring(0, colon), Integer.parseInt(hostAndPort.substring(colon + 1)));
  }

  private OutgoingConnection newConnection(RemoteServer remote, Purpose purpose) {
    return new OutgoingConnection(
        new Hello(purpose, server.getId(), remote.id()),
        options.secret(),
        remote::address,
        outgoing,
        options.maxFrameBytes(),
        remote,
        flushes);
  }

  GroupAppender newAppender(
      RaftServer.Division division, LeaderState leader, FollowerInfo follower) {
    RemoteServer remote = remotes.get(follower.getId());
    return new GroupAppender(
        division,
        leader,
        follower,
        remote != null ? remote : remote(follower.getPeer()),
        options.maxEntryBytes(),
        options.secret().isPresent(),
        tickMillis,
        steps,
        timer);
  }

  @Override
  public RequestVoteReplyProto requestVote(RequestVoteRequestProto request) throws IOException {
    return await(ask(request), request.getServerRequest());
  }

  @Override
  public CompletableFuture<RequestVoteReplyProto> ask(RequestVoteRequestProto request) {
    RaftGroupId group = RaftGroupId.valueOf(request.getServerRequest().getRaftGroupId().getId());
    String server = request.getServerRequest().getReplyId().toStringUtf8();
    long term = request.getCandidateTerm();
    VoteWatch votes = options.votes();
    votes.onVoteRequested(group, term, request.getPreVote(), server);
    return send(
            MessageKind.VOTE, request.getServerRequest(), request, RequestVoteReplyProto.parser())
        .thenApply(reply -> checked(reply, term))
        .whenComplete(
            (reply, failure) ->
                votes.answered(group, term, request.getPreVote(), server, answer(reply)));
  }

  private RequestVoteReplyProto checked(RequestVoteReplyProto reply, long term) {
    try {
      MessageCheck.voteReply(reply, term, options.secret().isPresent());
      return reply;
    } catch (RejectedMessage e) {
      throw new CompletionException(e);
    }
  }

  private static VoteWatch.Answer answer(RequestVoteReplyProto reply) {
    if (reply == null) {
      return VoteWatch.Answer.NONE;
    }
    return reply.getServerReply().getSuccess()
        ? VoteWatch.Answer.GRANTED
        : VoteWatch.Answer.REFUSED;
  }

  @Override
  public StartLeaderElectionReplyProto startLeaderElection(StartLeaderElectionRequestProto request)
      throws IOException {
    return await(
        send(
            MessageKind.ELECT,
            request.getServerRequest(),
            request,
            StartLeaderElectionReplyProto.parser()),
        request.getServerRequest());
  }

  private <T> CompletableFuture<T> send(
      MessageKind kind, RaftRpcRequestProto head, MessageLite request, Parser<T> parser) {
    RaftPeerId target = RaftPeerId.valueOf(head.getReplyId());
    RemoteServer remote = remotes.get(target);
    if (remote == null) {
      return CompletableFuture.failedFuture(new IOException("Server " + target + " is not known"));
    }
    Answer<T> answer = new Answer<>(parser);
    remote.control().send(kind, request, answer);
    return answer;
  }

  private <T> T await(CompletableFuture<T> answer, RaftRpcRequestProto head) throws IOException {
    try {
      return answer.get(requestMillis, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
      throw new IOException(cause.getMessage(), cause);
    } catch (TimeoutException e) {
      throw new IOException(
          "%s did not answer within %d ms"
              .formatted(RaftPeerId.valueOf(head.getReplyId()), requestMillis),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("The call was interrupted").initCause(e);
    }
  }

  private static final class Answer<T> extends CompletableFuture<T> implements AnswerHandler {
    private final Parser<T> parser;

    Answer(Parser<T> parser) {
      this.parser = parser;
    }

    @Override
    public void answered(CodedInputStream body) throws IOException {
      try {
        complete(parser.parseFrom(body));
      } catch (IOException e) {
        completeExceptionally(e);
        throw e;
      }
    }

    @Override
    public void failed(CallFailure error) {
      completeExceptionally(error);
    }
  }

  @Override
  public AppendEntriesReplyProto appendEntries(AppendEntriesRequestProto request) {
    throw new UnsupportedOperationException("Appends go through the GroupAppender");
  }

  @Override
  public InstallSnapshotReplyProto installSnapshot(InstallSnapshotRequestProto request) {
    throw new UnsupportedOperationException("Notices go through the GroupAppender");
  }

  /** Does nothing, because each connection handles its own failures. */
  @Override
  public void handleException(RaftPeerId serverId, Exception e, boolean reconnect) {}

  /** Number of connections that other servers have opened. */
  int incomingConnections() {
    return connections.count();
  }

  /** Number of channel flushes. */
  long flushes() {
    return flushes.sum();
  }

  @Override
  public void close() {
    Channel open = port;
    if (open != null) {
      loops.await(open.close(), PORT_CLOSE_MILLIS);
    }
    timer.shutdown();
    remotes.values().forEach(RemoteServer::close);
    incoming.close();
    receivers.close();
    steps.shutdown();
    loops.close();
  }
}
