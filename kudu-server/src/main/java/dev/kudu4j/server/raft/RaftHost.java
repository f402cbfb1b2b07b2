package dev.kudu4j.server.raft;

import dev.kudu4j.common.security.ClusterSecret;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.server.raft.election.FirstElection;
import dev.kudu4j.server.raft.election.MembershipProbe;
import dev.kudu4j.server.raft.log.LastVote;
import dev.kudu4j.server.raft.log.LogTailRepair;
import dev.kudu4j.server.raft.log.RaftLogs;
import dev.kudu4j.server.raft.threads.RaftThreads;
import dev.kudu4j.server.raft.tuning.RatisTuning;
import dev.kudu4j.server.transport.PeerDirectory;
import dev.kudu4j.server.transport.TransportOptions;
import dev.kudu4j.server.transport.VoteWatch;
import dev.kudu4j.tablet.log.LogPosition;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.impl.PooledGroup;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.util.ExitUtils;
import org.apache.ratis.util.NetUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one Raft server of a process: a port, a directory of logs, and a group for each replica.
 *
 * <p>{@link RaftLogs} defines the directories of the logs. Ratis would open all groups in its
 * directory at the start, and one corrupt log would prevent the start of the whole server. Ratis is
 * therefore started with an empty directory and then switched to the real directory, and the groups
 * are opened individually. A group that cannot be opened does not affect other groups.
 *
 * <p>Thread-safe.
 */
public final class RaftHost implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RaftHost.class);

  private static final int START_FAILED_CLOSE_MILLIS = 1_000;
  private static final int ELECTION_THREADS = 4;

  /**
   * A member of a group.
   *
   * @param host host of the server; {@code port} is its Raft port
   * @param rpcAddress host:port where the server serves RPC, or null if unknown; stored in the
   *     group's configuration
   */
  public record Peer(String serverUuid, String host, int port, @Nullable String rpcAddress) {
    public Peer(String serverUuid, String host, int port) {
      this(serverUuid, host, port, null);
    }
  }

  private final RaftOptions options;
  private final RaftPeerId id;
  private final InetSocketAddress address;
  private final RaftServer server;
  private final Path directory;
  private final Map<RaftGroupId, GroupStateMachine> machines;
  private final ClientId client = ClientId.randomId();
  private final AtomicLong calls = new AtomicLong();
  private final ScheduledThreadPoolExecutor elections;
  private final RaftThreads threads;
  private final RatisTuning tuning;
  private final PeerDirectory peers;
  private final RaftRequests requests;

  private RaftHost(
      RaftOptions options,
      RaftPeerId id,
      InetSocketAddress address,
      RaftServer server,
      Path directory,
      Map<RaftGroupId, GroupStateMachine> machines,
      PeerDirectory peers,
      RaftThreads threads,
      RatisTuning tuning) {
    this.options = options;
    this.id = id;
    this.address = address;
    this.server = server;
    this.directory = directory;
    this.machines = machines;
    this.elections = electionThreads();
    this.threads = threads;
    this.tuning = tuning;
    this.peers = peers;
    this.requests = new RaftRequests(server, elections);
  }

  private static ScheduledThreadPoolExecutor electionThreads() {
    ScheduledThreadPoolExecutor executor =
        new ScheduledThreadPoolExecutor(
            ELECTION_THREADS,
            task -> {
              Thread thread = new Thread(task, "first-election");
              thread.setDaemon(true);
              return thread;
            });
    executor.setKeepAliveTime(10, TimeUnit.SECONDS);
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  /**
   * Starts the Raft server.
   *
   * @param serverUuid uuid of this server in every group
   * @param directory directory of the logs; created if absent
   * @param bind interface and port; the port must not be 0, see {@link FreePort}
   * @param advertisedHost host at which other servers reach this server
   * @param secret the cluster secret that other servers must prove to hold; without a secret, they
   *     are accepted only from their known addresses
   * @throws KuduException CONFIGURATION_ERROR if there is a secret and the transport cannot prove
   *     it; NETWORK_ERROR if the port cannot be opened
   */
  public static RaftHost start(
      RaftOptions options,
      String serverUuid,
      Path directory,
      InetSocketAddress bind,
      String advertisedHost,
      Optional<ClusterSecret> secret)
      throws IOException {
    if (secret.isPresent() && options.transport() != RaftTransportKind.KUDU) {
      throw KuduException.configuration(
          "--raft_transport=%s cannot prove the cluster secret; leave out --raft_transport, or"
              + " --cluster_secret_file",
          options.transport().name().toLowerCase(Locale.ROOT));
    }
    PeerDirectory peers = new PeerDirectory();
    RatisTuning.tuneProcess();
    ExitUtils
        .disableSystemExit(); // a port in use is an error to report, not the end of the process
    Path placeholder = directory.resolve("none");
    Files.createDirectories(placeholder);
    RaftProperties properties = RatisProperties.of(options, bind);
    RaftServerConfigKeys.setStorageDir(properties, List.of(placeholder.toFile()));
    Map<RaftGroupId, GroupStateMachine> machines = new ConcurrentHashMap<>();
    RaftPeerId id = RaftPeerId.valueOf(serverUuid);
    @Nullable RaftServer server = null;
    try {
      server =
          RaftServer.newBuilder()
              .setServerId(id)
              .setStateMachineRegistry(machines::get)
              .setProperties(properties)
              .setParameters(
                  new TransportOptions(
                          bind, options.maxEntryBytes(), secret, peers, votes(machines))
                      .toParameters())
              .build();
      RatisTuning.tuneServer(server);
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
    RaftThreads threads = new RaftThreads();
    return new RaftHost(
        options,
        id,
        InetSocketAddress.createUnresolved(advertisedHost, bind.getPort()),
        server,
        directory,
        machines,
        peers,
        threads,
        RatisTuning.open(
            directory,
            threads,
            options.writeBufferBytes(),
            options.backOffMillis(),
            options.syncEachEntry()));
  }

  /** Forwards vote events to the replica of the group. */
  private static VoteWatch votes(Map<RaftGroupId, GroupStateMachine> machines) {
    return new VoteWatch() {
      @Override
      public void onVoteRequested(RaftGroupId group, long term, boolean preliminary, String voter) {
        GroupStateMachine machine = machines.get(group);
        if (machine != null) {
          machine.elections().onVoteRequested(term, preliminary, voter);
        }
      }

      @Override
      public void answered(
          RaftGroupId group, long term, boolean preliminary, String voter, Answer answer) {
        GroupStateMachine machine = machines.get(group);
        if (machine != null) {
          machine.elections().answered(term, preliminary, voter, answer);
        }
      }
    };
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
   * Registers the current addresses of other servers. The gRPC transport keeps the first address of
   * a server until the process ends, even if the log of a group that is opened later names another
   * address. The transport of Kudu4j uses the latest address.
   */
  public void registerPeers(List<Peer> servers) {
    server.getServerRpc().addRaftPeers(servers.stream().map(RaftHost::toPeer).toList());
  }

  /**
   * Sets a directory of servers that may connect although no local configuration names them, such
   * as the leader of a group whose latest configuration this server has yet to learn.
   *
   * @param hosts returns the host of the server with a uuid; must not block
   */
  public void introducedBy(Function<String, Optional<String>> hosts) {
    peers.consult(hosts);
  }

  /** Starts a new group with an empty log. */
  public RaftMember create(String tabletId, List<Peer> members, GroupStateMachine machine)
      throws IOException {
    RaftGroupId group = RaftLogs.groupId(tabletId);
    List<RaftPeer> peers = members.stream().map(RaftHost::toPeer).toList();
    checkDoesNotRun(group);
    RaftLogs.makeFounding(directory, tabletId, peers);
    RaftServer.Division division = add(tabletId, RaftGroup.valueOf(group, peers), machine);
    if (peers.size() == 1) {
      electAtOnceIfAlone(division);
    } else {
      FirstElection.begin(server, division, peers, () -> requests.electAtOnce(division), elections);
    }
    return new RaftMember(tabletId, division, requests);
  }

  /**
   * Starts a group that has a local log; the log names its members.
   *
   * @throws KuduException NOT_FOUND if there is no log
   */
  public RaftMember open(String tabletId, GroupStateMachine machine) throws IOException {
    if (!RaftLogs.exists(directory, tabletId)) {
      throw KuduException.notFound(
          "Tablet %s has no log on this server: its creation was not completed, or the log was"
              + " removed",
          tabletId);
    }
    LogTailRepair.cut(RaftLogs.directory(directory, tabletId));
    List<RaftPeer> founders = RaftLogs.founders(directory, tabletId);
    RaftServer.Division division =
        add(tabletId, RaftGroup.valueOf(RaftLogs.groupId(tabletId), founders), machine);
    if (mustRejoin(tabletId, division)) {
      return rejoin(tabletId, division, machine);
    }
    electAtOnceIfAlone(division);
    return new RaftMember(tabletId, division, requests);
  }

  /**
   * Joins an existing group, with an empty log that begins after a copied checkpoint. This server
   * is a listener, also after restarts, until the group's leader promotes it. Once this method has
   * returned, {@link #open} can open the group after a restart.
   *
   * @param members the other members, all treated as voters until the leader sends the group's
   *     configuration
   * @param checkpoint position after which the log begins
   * @param vote this server's last vote in the group
   */
  public RaftMember join(
      String tabletId,
      List<Peer> members,
      LogPosition checkpoint,
      LastVote vote,
      GroupStateMachine machine)
      throws IOException {
    List<RaftPeer> voters =
        members.stream()
            .filter(peer -> !peer.serverUuid().equals(serverUuid()))
            .map(RaftHost::toPeer)
            .toList();
    RaftPeer self =
        RaftPeer.newBuilder(toPeer(self())).setStartupRole(RaftPeerRole.LISTENER).build();
    checkDoesNotRun(RaftLogs.groupId(tabletId));
    RaftLogs.makeJoining(
        directory, tabletId, RaftLogs.configuration(checkpoint, voters, List.of(self)), vote);
    return open(tabletId, machine);
  }

  /**
   * Whether a joining server must discard its log. The last configuration in that log does not name
   * this server if the leader logged the configuration before it added the server. If the group
   * were opened with that configuration, the server would not be a listener when it is added. It
   * therefore discards the received entries and begins after its checkpoint again.
   */
  private boolean mustRejoin(String tabletId, RaftServer.Division division) {
    return RaftLogs.isJoining(directory, tabletId)
        && !isNamed(division)
        && division.getStateMachine().getLatestSnapshot() != null;
  }

  private RaftMember rejoin(
      String tabletId, RaftServer.Division division, GroupStateMachine machine) throws IOException {
    SnapshotInfo checkpoint = division.getStateMachine().getLatestSnapshot();
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
   * Determines whether a replica is still a member, if its configuration does not name it.
   *
   * @param evicted called if the replica is not a member
   */
  public void probeIfNotNamed(RaftMember member, Runnable evicted) {
    RaftServer.Division division = member.division();
    if (division.getRaftConf().getCurrentPeers(RaftPeerRole.FOLLOWER).stream()
            .noneMatch(peer -> peer.getId().equals(id))
        && division.getRaftConf().getCurrentPeers(RaftPeerRole.LISTENER).stream()
            .noneMatch(peer -> peer.getId().equals(id))) {
      MembershipProbe doubtful = new MembershipProbe(server, division, evicted, elections);
      elections.execute(doubtful::ask);
    }
  }

  private boolean isNamed(RaftServer.Division division) {
    return division.getRaftConf().getPeer(id, RaftPeerRole.FOLLOWER, RaftPeerRole.LISTENER) != null;
  }

  private void checkDoesNotRun(RaftGroupId group) {
    if (machines.containsKey(group)) {
      throw runsAlready(group);
    }
  }

  private static KuduException runsAlready(RaftGroupId group) {
    return KuduException.alreadyPresent("Raft group %s already runs on this server", group);
  }

  /**
   * Opens a group that has a local log.
   *
   * @param group the group, with the members that apply until the log names the members
   */
  private RaftServer.Division add(String tabletId, RaftGroup group, GroupStateMachine machine)
      throws IOException {
    if (machines.putIfAbsent(group.getGroupId(), machine) != null) {
      throw runsAlready(group.getGroupId());
    }
    machine.prepareWith(
        (division, storage) -> {
          PooledGroup.attach(division, storage, threads);
          machine.starting(new RaftMember(tabletId, division, requests));
        });
    try {
      RaftClientReply reply =
          server.groupManagement(
              GroupManagementRequest.newAdd(client, id, calls.incrementAndGet(), group, false));
      if (!reply.isSuccess()) {
        throw new IOException("Cannot open the Raft group " + group, reply.getException());
      }
      RaftServer.Division division = server.getDivision(group.getGroupId());
      tuning.tuneGroup(division, machine::appended);
      return division;
    } catch (IOException | RuntimeException e) {
      machines.remove(group.getGroupId());
      throw e;
    }
  }

  /**
   * Lets this server elect itself without waiting for a timeout, if it is the only voter of the
   * group.
   */
  private void electAtOnceIfAlone(RaftServer.Division division) {
    if (division.getRaftConf() == null) {
      return;
    }
    List<RaftPeer> voters = List.copyOf(division.getRaftConf().getAllPeers(RaftPeerRole.FOLLOWER));
    if (voters.size() == 1 && voters.get(0).getId().equals(id)) {
      requests.electAtOnce(division);
    }
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

  /** Stops a group, and removes its log if {@code deleteLog} is set. */
  public void remove(String tabletId, boolean deleteLog) throws IOException {
    RaftGroupId group = RaftLogs.groupId(tabletId);
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

  /** Records that this server has joined the group, because the group's configuration names it. */
  public void hasJoined(String tabletId) throws IOException {
    RaftLogs.hasJoined(directory, tabletId);
  }

  /** The local group of a tablet. */
  RaftServer.Division division(String tabletId) throws IOException {
    return server.getDivision(RaftLogs.groupId(tabletId));
  }

  /**
   * Closes all groups and the port, waiting no longer than {@link RaftOptions#closeMillis}. The
   * replicas close their states separately, before or after this call.
   */
  @Override
  public void close() {
    machines.clear();
    elections.shutdownNow();
    tuning.stopWaiting();
    close(server, options.closeMillis());
    tuning.close();
    threads.close();
  }

  /** Closes the server on a separate thread, because Ratis may wait forever. */
  private static void close(@Nullable RaftServer server, int millis) {
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
      LOG.warn("Raft did not close within {} ms; the shutdown continues without it", millis);
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
