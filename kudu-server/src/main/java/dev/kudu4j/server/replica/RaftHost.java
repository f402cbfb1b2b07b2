package dev.kudu4j.server.replica;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.server.transport.KuduRpcType;
import dev.kudu4j.server.transport.TransportOptions;
import dev.kudu4j.tablet.log.LogPosition;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.StateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.ExitUtils;
import org.apache.ratis.util.LifeCycle;
import org.apache.ratis.util.MemoizedSupplier;
import org.apache.ratis.util.NetUtils;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process' one Raft server: a port, a directory of logs, and a group for each replica.
 *
 * <p>Logs lie in {@code <directory>/<group>/current}. Ratis would open every group it finds when it
 * starts, and one bad log would keep the whole server down; so it starts on an empty directory, is
 * then pointed to the real one, and is given the groups one by one. A bad one fails alone.
 *
 * <p>Thread-safe.
 */
public final class RaftHost implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RaftHost.class);

  private static final int START_FAILED_CLOSE_MILLIS = 1_000;
  private static final int ELECTION_THREADS = 4;
  private static final int OPENING_THREADS = 8;

  /** For what groups do beside their own threads; some of it waits for another server. */
  private static final int SHARED_THREADS = 8;

  private static final int TRANSFER_MILLIS = 3_000;

  /** How long a new member may be silent while it is waited for. */
  private static final int NEWCOMER_SILENT_MILLIS = 6_000;

  /** File beside the log of a replica that no configuration names yet. */
  private static final String JOINING = "joining";

  /** Passes for the leader that says who the members are when the majority is lost. */
  private static final String FORCED_BY = "unsafe-change-config";

  /** Shortest time-out after a start; see {@link FirstElection} for what comes before it. */
  private static final int FIRST_ELECTION_MILLIS = 400;

  /** Ratis keeps all zeros for itself; the catalog's tablet has them. */
  private static final UUID ZEROS_STAND_IN = new UUID(0x6b756475346a0000L, 0x8000636174616c67L);

  /**
   * A member of a group.
   *
   * @param host and port, of its Raft port
   * @param rpcAddress host:port where it serves RPC, when this is known; kept with the group
   */
  public record Peer(String serverUuid, String host, int port, String rpcAddress) {
    public Peer(String serverUuid, String host, int port) {
      this(serverUuid, host, port, null);
    }
  }

  private final RaftOptions options;
  private final RaftPeerId id;
  private final InetSocketAddress address;
  private final RaftServer server;
  private final Path directory;
  private final Map<RaftGroupId, StateMachine> machines;
  private final ClientId client = ClientId.randomId();
  private final AtomicLong calls = new AtomicLong();
  private final ScheduledThreadPoolExecutor elections;
  private final ScheduledThreadPoolExecutor syncs;
  private final ThreadPoolExecutor shared;
  private final WriteBuffers buffers;

  private RaftHost(
      RaftOptions options,
      RaftPeerId id,
      InetSocketAddress address,
      RaftServer server,
      Path directory,
      Map<RaftGroupId, StateMachine> machines,
      WriteBuffers buffers) {
    this.options = options;
    this.id = id;
    this.address = address;
    this.server = server;
    this.directory = directory;
    this.machines = machines;
    this.elections = daemonThreads(ELECTION_THREADS, "first-election");
    this.syncs = daemonThreads(1, "log-sync");
    this.shared = pool(SHARED_THREADS, "raft-shared");
    this.buffers = buffers;
  }

  private static ScheduledThreadPoolExecutor daemonThreads(int count, String name) {
    ScheduledThreadPoolExecutor executor =
        new ScheduledThreadPoolExecutor(
            count,
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
    executor.setKeepAliveTime(10, TimeUnit.SECONDS);
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  private static ThreadPoolExecutor pool(int threads, String name) {
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            threads,
            threads,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            new DefaultThreadFactory(name, true));
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  /**
   * Starts the Raft server.
   *
   * @param serverUuid this server in every group
   * @param directory of the logs; created when missing
   * @param bind interface and port; the port is not 0, see {@link FreePort}
   * @param advertisedHost how other servers reach it
   */
  public static RaftHost start(
      RaftOptions options,
      String serverUuid,
      Path directory,
      InetSocketAddress bind,
      String advertisedHost)
      throws IOException {
    ExitUtils.disableSystemExit(); // a port in use is our error to report, not the process' end
    Path placeholder = directory.resolve("none");
    Files.createDirectories(placeholder);
    RaftProperties properties = properties(options, bind);
    RaftServerConfigKeys.setStorageDir(properties, List.of(placeholder.toFile()));
    Map<RaftGroupId, StateMachine> machines = new ConcurrentHashMap<>();
    RaftPeerId id = RaftPeerId.valueOf(serverUuid);
    RaftServer server = null;
    try {
      server =
          RaftServer.newBuilder()
              .setServerId(id)
              .setStateMachineRegistry(machines::get)
              .setProperties(properties)
              .setParameters(new TransportOptions(bind, options.maxEntryBytes()).toParameters())
              .build();
      openSideBySide(server);
      server.start();
    } catch (IOException | RuntimeException e) {
      close(server, START_FAILED_CLOSE_MILLIS);
      throw new KuduException(
          StatusCode.NETWORK_ERROR,
          "Cannot open the Raft port "
              + bind
              + "; is another server running on it? The port is kept in the instance file",
          e);
    }
    // From here on no other server may be built from these properties.
    RaftServerConfigKeys.setStorageDir(server.getProperties(), List.of(directory.toFile()));
    return new RaftHost(
        options,
        id,
        InetSocketAddress.createUnresolved(advertisedHost, bind.getPort()),
        server,
        directory,
        machines,
        WriteBuffers.open(directory, options.writeBufferBytes()));
  }

  /** Ratis would open and start all groups on one thread. Must come before the first of them. */
  private static void openSideBySide(RaftServer server) {
    try {
      RatisField.of(server, "implExecutor")
          .set(MemoizedSupplier.valueOf(() -> pool(OPENING_THREADS, "raft-open")));
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn("Raft groups are opened one after the other: Ratis is not what it was", e);
    }
  }

  private static RaftProperties properties(RaftOptions options, InetSocketAddress bind) {
    RaftProperties p = new RaftProperties();
    switch (options.transport()) {
      case GRPC -> RaftConfigKeys.Rpc.setType(p, SupportedRpcType.GRPC);
      case KUDU -> {
        p.set(RaftConfigKeys.Rpc.TYPE_KEY, KuduRpcType.class.getName());
        // The transport hands appends of a group over in order: Ratis need not chain them.
        RaftServerConfigKeys.Log.setAppendEntriesComposeEnabled(p, false);
      }
    }
    if (!bind.getAddress().isAnyLocalAddress()) {
      GrpcConfigKeys.Server.setHost(p, bind.getAddress().getHostAddress());
    }
    GrpcConfigKeys.Server.setPort(p, bind.getPort());
    GrpcConfigKeys.Server.setLeaderOutstandingAppendsMax(p, 2);
    GrpcConfigKeys.setMessageSizeMax(p, SizeInBytes.valueOf(4L * options.maxEntryBytes()));

    RaftServerConfigKeys.Rpc.setTimeoutMin(p, millis(options.shortestElectionMillis()));
    RaftServerConfigKeys.Rpc.setTimeoutMax(p, millis(options.longestElectionMillis()));
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(p, millis(FIRST_ELECTION_MILLIS));
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(p, millis(3 * FIRST_ELECTION_MILLIS));
    RaftServerConfigKeys.Rpc.setSlownessTimeout(p, millis(options.followerFailedMillis()));
    RaftServerConfigKeys.Rpc.setRequestTimeout(p, millis(3_000));
    RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(p, millis(3_000));
    RaftServerConfigKeys.setCloseThreshold(p, TimeDuration.valueOf(30, TimeUnit.MINUTES));
    RaftServerConfigKeys.setSleepDeviationThreshold(p, millis(2_000));
    RaftServerConfigKeys.setStagingTimeout(p, millis(NEWCOMER_SILENT_MILLIS));

    // The appender's limit is also the largest entry.
    RaftServerConfigKeys.Log.Appender.setBufferByteLimit(p, bytes(options.maxEntryBytes()));
    RaftServerConfigKeys.Log.setWriteBufferSize(p, bytes(options.writeBufferBytes()));
    RaftServerConfigKeys.Log.setPreallocatedSize(p, bytes(256 << 10));
    RaftServerConfigKeys.Log.setSegmentSizeMax(p, bytes(options.segmentBytes()));
    RaftServerConfigKeys.Log.setSegmentCacheNumMax(p, 2);
    RaftServerConfigKeys.Log.setSegmentCacheSizeMax(p, bytes(2L * options.segmentBytes()));
    RaftServerConfigKeys.Log.setUnsafeFlushEnabled(p, !options.syncEachEntry());
    RaftServerConfigKeys.Log.setLogMetadataEnabled(p, false);
    RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(p, false);
    RaftServerConfigKeys.Log.setPurgeGap(p, 1);
    RaftServerConfigKeys.Log.Appender.setInstallSnapshotEnabled(p, false);
    p.set(RaftServerConfigKeys.Log.Appender.RETRY_POLICY_KEY, "20ms,10, 500ms,20, 1s,100000");

    RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(p, false);
    RaftServerConfigKeys.Snapshot.setTriggerWhenStopEnabled(p, false);
    RaftServerConfigKeys.Snapshot.setTriggerWhenRemoveEnabled(p, false);
    RaftServerConfigKeys.RetryCache.setExpiryTime(p, millis(2_000));
    RaftServerConfigKeys.Write.setElementLimit(p, 1024);
    RaftServerConfigKeys.Write.setByteLimit(p, bytes(16 << 20));
    return p;
  }

  private static TimeDuration millis(int millis) {
    return TimeDuration.valueOf(millis, TimeUnit.MILLISECONDS);
  }

  private static SizeInBytes bytes(long bytes) {
    return SizeInBytes.valueOf(bytes);
  }

  public RaftOptions options() {
    return options;
  }

  public String serverUuid() {
    return id.toString();
  }

  /** This server as a member of a group. */
  public Peer self() {
    return new Peer(serverUuid(), address.getHostString(), address.getPort());
  }

  /**
   * Where other servers are now. Counts for the rest of this run, against what the logs of groups
   * that are opened later say; a server that has been met, or named by a group, stays where it is.
   */
  public void meet(List<Peer> servers) {
    server.getServerRpc().addRaftPeers(servers.stream().map(RaftHost::toPeer).toList());
  }

  /** The group of a tablet: its id, 32 hex digits, as a UUID. */
  static RaftGroupId groupId(String tabletId) {
    if (!tabletId.matches("[0-9a-fA-F]{32}")) {
      throw KuduException.invalidArgument(
          "A tablet id must have 32 hex digits, not '%s'", tabletId);
    }
    UUID uuid =
        new UUID(
            Long.parseUnsignedLong(tabletId.substring(0, 16), 16),
            Long.parseUnsignedLong(tabletId.substring(16), 16));
    boolean zeros = uuid.getMostSignificantBits() == 0 && uuid.getLeastSignificantBits() == 0;
    return RaftGroupId.valueOf(zeros ? ZEROS_STAND_IN : uuid);
  }

  /** Starts a new group with an empty log. */
  RaftServer.Division create(String tabletId, List<Peer> members, StateMachine machine)
      throws IOException {
    RaftGroupId group = groupId(tabletId);
    List<RaftPeer> peers = members.stream().map(RaftHost::toPeer).toList();
    RaftServer.Division division = add(RaftGroup.valueOf(group, peers), true, machine);
    if (peers.size() == 1) {
      electAtOnceIfAlone(division);
    } else {
      FirstElection.begin(server, division, peers, () -> electAtOnce(division), elections);
    }
    return division;
  }

  /**
   * Starts a group again whose log lies here; its members are found in its log.
   *
   * @throws KuduException NOT_FOUND when there is no log, or none that names the members
   */
  RaftServer.Division open(String tabletId, StateMachine machine) throws IOException {
    return open(tabletId, List.of(), machine);
  }

  /**
   * As above, but for a group whose founders are known. They are its members until the log says
   * otherwise; what this server has voted for is kept.
   */
  RaftServer.Division open(String tabletId, List<Peer> founders, StateMachine machine)
      throws IOException {
    RaftGroupId group = groupId(tabletId);
    Path log = groupDirectory(directory, tabletId);
    if (Files.isDirectory(log)) {
      TornTail.cut(log);
    } else if (founders.isEmpty()) {
      throw noLog(tabletId);
    }
    List<RaftPeer> peers = founders.stream().map(RaftHost::toPeer).toList();
    RaftServer.Division division = add(RaftGroup.valueOf(group, peers), false, machine);
    if (division.getRaftConf().getAllPeers().isEmpty()) {
      remove(tabletId, false);
      throw noLog(tabletId);
    }
    division = reopenIfJoining(tabletId, division, machine);
    electAtOnceIfAlone(division);
    return division;
  }

  /**
   * Starts a group that others have, with an empty log behind a copied checkpoint and with this
   * server as a listener, also after restarts, until the group's leader makes it more. It may be
   * started anew with {@link #open} from the moment this returns.
   *
   * @param members the others, all of them taken for voters; where they are is learned anew from
   *     the leader
   * @param checkpoint the log begins behind it
   * @param vote what this server has voted in the group before
   */
  RaftServer.Division join(
      String tabletId,
      List<Peer> members,
      LogPosition checkpoint,
      LastVote vote,
      StateMachine machine)
      throws IOException {
    List<RaftPeer> voters =
        members.stream()
            .filter(peer -> !peer.serverUuid().equals(serverUuid()))
            .map(RaftHost::toPeer)
            .toList();
    RaftPeer self =
        RaftPeer.newBuilder(toPeer(self())).setStartupRole(RaftPeerRole.LISTENER).build();
    Path log = groupDirectory(directory, tabletId);
    deleteLog(directory, tabletId); // what an earlier try has left
    Path current = Files.createDirectories(log.resolve("current"));
    try (OutputStream out = Files.newOutputStream(current.resolve("raft-meta.conf"))) {
      configuration(checkpoint, voters, List.of(self)).writeTo(out);
    }
    Files.createFile(log.resolve(JOINING));
    vote.atLeast(checkpoint.term()).write(current); // makes the directory one that can be opened
    return open(tabletId, machine);
  }

  /** The group's configuration names this server: it has joined. */
  void hasJoined(String tabletId) throws IOException {
    Files.deleteIfExists(groupDirectory(directory, tabletId).resolve(JOINING));
  }

  /**
   * What a newcomer has got from the leader may say that this server is no member, as it was when
   * it was logged. Opened with that, it would be no listener when it is let in; so it forgets what
   * it got, and begins behind its checkpoint again.
   *
   * @return the division, opened anew if it has to be
   */
  private RaftServer.Division reopenIfJoining(
      String tabletId, RaftServer.Division division, StateMachine machine) throws IOException {
    boolean joining = Files.exists(groupDirectory(directory, tabletId).resolve(JOINING));
    SnapshotInfo checkpoint = division.getStateMachine().getLatestSnapshot();
    if (!joining || isNamed(division) || checkpoint == null) {
      return division;
    }
    List<Peer> voters =
        division.getRaftConf().getCurrentPeers(RaftPeerRole.FOLLOWER).stream()
            .map(RaftHost::fromPeer)
            .toList();
    LastVote vote = LastVote.of(directory, tabletId);
    remove(tabletId, true);
    LogPosition position =
        new LogPosition(checkpoint.getTermIndex().getTerm(), checkpoint.getTermIndex().getIndex());
    return join(tabletId, voters, position, vote, machine);
  }

  /**
   * A replica that its configuration does not name finds out whether it is a member.
   *
   * @param evicted told when it is none
   */
  void askIfDoubtful(RaftServer.Division division, Runnable evicted) {
    if (division.getRaftConf().getCurrentPeers(RaftPeerRole.FOLLOWER).stream()
            .noneMatch(peer -> peer.getId().equals(id))
        && division.getRaftConf().getCurrentPeers(RaftPeerRole.LISTENER).stream()
            .noneMatch(peer -> peer.getId().equals(id))) {
      DoubtfulMember doubtful =
          new DoubtfulMember(server, division, lastEntry(division), evicted, elections);
      elections.execute(doubtful::ask);
    }
  }

  private boolean isNamed(RaftServer.Division division) {
    return division.getRaftConf().getPeer(id, RaftPeerRole.FOLLOWER, RaftPeerRole.LISTENER) != null;
  }

  static LogEntryProto configuration(
      LogPosition position, List<RaftPeer> voters, List<RaftPeer> listeners) {
    RaftConfigurationProto.Builder configuration = RaftConfigurationProto.newBuilder();
    voters.forEach(peer -> configuration.addPeers(peer.getRaftPeerProto()));
    listeners.forEach(peer -> configuration.addListeners(peer.getRaftPeerProto()));
    return LogEntryProto.newBuilder()
        .setTerm(position.term())
        .setIndex(position.index())
        .setConfigurationEntry(configuration)
        .build();
  }

  private static KuduException noLog(String tabletId) {
    return KuduException.notFound(
        "Tablet %s has no log here: its creation did not end, or the log was removed", tabletId);
  }

  private RaftServer.Division add(RaftGroup group, boolean format, StateMachine machine)
      throws IOException {
    if (machines.putIfAbsent(group.getGroupId(), machine) != null) {
      throw KuduException.alreadyPresent("Raft group %s runs here already", group.getGroupId());
    }
    try {
      RaftClientReply reply =
          server.groupManagement(
              GroupManagementRequest.newAdd(client, id, calls.incrementAndGet(), group, format));
      if (!reply.isSuccess()) {
        throw new IOException("Cannot open the Raft group " + group, reply.getException());
      }
      RaftServer.Division division = server.getDivision(group.getGroupId());
      LeanGroup.make(division, shared);
      if (!options.syncEachEntry()) {
        LogSync.calm(division.getRaftLog(), syncs, buffers);
      }
      return division;
    } catch (IOException | RuntimeException e) {
      machines.remove(group.getGroupId());
      throw e;
    }
  }

  /** A group of one need not wait for anybody: it is told to elect itself. */
  private void electAtOnceIfAlone(RaftServer.Division division) {
    if (division.getRaftConf() == null) {
      return;
    }
    List<RaftPeer> voters = List.copyOf(division.getRaftConf().getAllPeers(RaftPeerRole.FOLLOWER));
    if (voters.size() == 1 && voters.get(0).getId().equals(id)) {
      electAtOnce(division);
    }
  }

  /** As {@link #elect}, but without a word when it cannot be done now. */
  void electSoon(RaftServer.Division division) {
    elections.execute(() -> electAtOnce(division));
  }

  /** Only saves time: a group that cannot be told elects itself a little later. */
  private void electAtOnce(RaftServer.Division division) {
    try {
      if (division.getInfo().getLifeCycleState() == LifeCycle.State.RUNNING) {
        elect(division);
      }
    } catch (IOException | RuntimeException e) {
      LOG.info("{} could not be told to elect itself at once", division.getMemberId(), e);
    }
  }

  /**
   * Makes this server a candidate at once, as the leader does when it hands over: so the request
   * names the leader of the term, if there is one.
   *
   * @return whether it stands
   */
  boolean elect(RaftServer.Division division) throws IOException {
    RaftPeerId leader = division.getInfo().getLeaderId();
    TermIndex last = lastEntry(division);
    TermIndexProto.Builder lastEntry =
        TermIndexProto.newBuilder().setTerm(last.getTerm()).setIndex(last.getIndex());
    return server
        .startLeaderElection(
            StartLeaderElectionRequestProto.newBuilder()
                .setServerRequest(
                    RaftRpcRequestProto.newBuilder()
                        .setRequestorId((leader == null ? id : leader).toByteString())
                        .setReplyId(id.toByteString())
                        .setRaftGroupId(
                            RaftGroupIdProto.newBuilder()
                                .setId(division.getMemberId().getGroupId().toByteString()))
                        .setCallId(calls.incrementAndGet()))
                .setLeaderLastEntry(lastEntry)
                .build())
        .getServerReply()
        .getSuccess();
  }

  private static TermIndex lastEntry(RaftServer.Division division) {
    TermIndex last = division.getRaftLog().getLastEntryTermIndex();
    SnapshotInfo checkpoint = division.getStateMachine().getLatestSnapshot();
    if (last != null) {
      return last;
    }
    return checkpoint != null ? checkpoint.getTermIndex() : TermIndex.valueOf(0, 0);
  }

  private static Peer fromPeer(RaftPeer peer) {
    InetSocketAddress address = NetUtils.createSocketAddr(peer.getAddress());
    return new Peer(
        peer.getId().toString(),
        address.getHostString(),
        address.getPort(),
        peer.getClientAddress());
  }

  static RaftPeer toPeer(Peer peer) {
    return RaftPeer.newBuilder()
        .setId(peer.serverUuid())
        .setAddress(peer.host() + ":" + peer.port())
        .setClientAddress(peer.rpcAddress())
        .build();
  }

  /**
   * Hands the leadership of a group over.
   *
   * @param newLeader null to lay it down and let anybody have it
   */
  CompletableFuture<RaftClientReply> transferLeadership(
      RaftServer.Division division, String newLeader) throws IOException {
    return server.transferLeadershipAsync(
        new TransferLeadershipRequest(
            client,
            id,
            division.getMemberId().getGroupId(),
            calls.incrementAndGet(),
            newLeader == null ? null : RaftPeerId.valueOf(newLeader),
            TRANSFER_MILLIS));
  }

  /**
   * Gives a group that is led here other members. A server that is no member yet must run the group
   * and have what the log begins behind; it is waited for until it has nearly caught up.
   *
   * @param now refused when the group has others by now
   */
  CompletableFuture<RaftClientReply> configure(
      RaftServer.Division division,
      AgreedConfiguration now,
      List<RaftPeer> voters,
      List<RaftPeer> listeners)
      throws IOException {
    SetConfigurationRequest.Arguments change =
        SetConfigurationRequest.Arguments.newBuilder()
            .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
            .setServersInCurrentConf(now.voters())
            .setListenersInCurrentConf(now.listeners())
            .setServersInNewConf(inRole(voters, RaftPeerRole.FOLLOWER))
            .setListenersInNewConf(inRole(listeners, RaftPeerRole.LISTENER))
            .build();
    return server.setConfigurationAsync(
        new SetConfigurationRequest(
            client, id, division.getMemberId().getGroupId(), calls.incrementAndGet(), change));
  }

  private static List<RaftPeer> inRole(List<RaftPeer> peers, RaftPeerRole role) {
    return peers.stream()
        .map(peer -> RaftPeer.newBuilder(peer).setStartupRole(role).build())
        .toList();
  }

  /**
   * Makes a replica take this for the configuration, as if the leader of the next term had said so.
   * What is in its log is kept.
   */
  CompletableFuture<AppendEntriesReplyProto> force(
      RaftServer.Division division, List<RaftPeer> voters) throws IOException {
    TermIndex last = lastEntry(division);
    long term = division.getInfo().getCurrentTerm() + 1;
    LogEntryProto entry =
        configuration(new LogPosition(term, last.getIndex() + 1), voters, List.of());
    ByteString sender = RaftPeerId.valueOf(FORCED_BY).toByteString();
    return server.appendEntriesAsync(
        AppendEntriesRequestProto.newBuilder()
            .setServerRequest(
                RaftRpcRequestProto.newBuilder()
                    .setRequestorId(sender)
                    .setReplyId(id.toByteString())
                    .setRaftGroupId(
                        RaftGroupIdProto.newBuilder()
                            .setId(division.getMemberId().getGroupId().toByteString()))
                    .setCallId(calls.incrementAndGet()))
            .setLeaderTerm(term)
            .setPreviousLog(
                TermIndexProto.newBuilder().setTerm(last.getTerm()).setIndex(last.getIndex()))
            .addEntries(entry)
            .setLeaderCommit(division.getRaftLog().getLastCommittedIndex())
            .build());
  }

  /** Submits an entry to a group that is led here. May block while Raft's own queue is full. */
  CompletableFuture<RaftClientReply> submit(RaftServer.Division division, PendingEntry entry)
      throws IOException {
    RaftClientRequest request =
        RaftClientRequest.newBuilder()
            .setClientId(client)
            .setServerId(id)
            .setGroupId(division.getMemberId().getGroupId())
            .setCallId(calls.incrementAndGet())
            .setMessage(entry)
            .setType(RaftClientRequest.writeRequestType())
            .build();
    return ((RaftClientAsynchronousProtocol) division).submitClientRequestAsync(request);
  }

  /** Stops a group, and removes its log if wanted. */
  void remove(String tabletId, boolean deleteLog) throws IOException {
    RaftGroupId group = groupId(tabletId);
    if (machines.remove(group) == null) {
      return;
    }
    RaftClientReply reply =
        server.groupManagement(
            GroupManagementRequest.newRemove(
                client, id, calls.incrementAndGet(), group, deleteLog, false));
    if (!reply.isSuccess()) {
      throw new IOException("Cannot stop the Raft group " + group, reply.getException());
    }
  }

  /** The group of a tablet that runs here. */
  RaftServer.Division division(String tabletId) throws IOException {
    return server.getDivision(groupId(tabletId));
  }

  static Path groupDirectory(Path directory, String tabletId) {
    return directory.resolve(groupId(tabletId).getUuid().toString());
  }

  /** Whether there is a log of the tablet. */
  public static boolean hasLog(Path directory, String tabletId) {
    return Files.isDirectory(groupDirectory(directory, tabletId));
  }

  /** Removes the log of a group that does not run. */
  public static void deleteLog(Path directory, String tabletId) throws IOException {
    org.apache.ratis.util.FileUtils.deleteFully(groupDirectory(directory, tabletId).toFile());
  }

  /**
   * Closes all groups at once and the port; gives up waiting after the time that the options allow.
   * The states of the replicas are theirs to close, before or after.
   */
  @Override
  public void close() {
    machines.clear();
    elections.shutdownNow();
    close(server, options.closeMillis());
    syncs.shutdown(); // what is due is still done
    shared.shutdown();
    closeBuffers();
  }

  private void closeBuffers() {
    try {
      buffers.close();
    } catch (IOException e) {
      LOG.warn("The file behind the write buffers could not be closed", e);
    }
  }

  /** On a thread of its own: Ratis waits without end for what may never come. */
  private static void close(RaftServer server, int millis) {
    if (server == null) {
      return;
    }
    Thread closer = new Thread(() -> closeNow(server), "raft-close");
    closer.setDaemon(true);
    closer.start();
    try {
      closer.join(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (closer.isAlive()) {
      LOG.warn("Raft did not close within {} ms; going on without it", millis);
    }
  }

  private static void closeNow(RaftServer server) {
    try {
      server.close();
    } catch (IOException | RuntimeException e) {
      LOG.warn("Closing Raft failed", e);
    }
  }
}
