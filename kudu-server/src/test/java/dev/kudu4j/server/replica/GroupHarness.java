package dev.kudu4j.server.replica;

import static dev.kudu4j.common.Patience.await;
import static dev.kudu4j.server.replica.ReplicaHarness.TABLET;
import static dev.kudu4j.server.replica.ReplicaHarness.insert;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.Patience;
import dev.kudu4j.common.security.ClusterSecret;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.server.raft.LogAnchor;
import dev.kudu4j.server.raft.RaftHost;
import dev.kudu4j.server.raft.RaftOptions;
import dev.kudu4j.server.raft.log.LastVote;
import dev.kudu4j.server.replica.members.ConsensusView;
import dev.kudu4j.server.replica.members.MemberChange;
import dev.kudu4j.server.replica.members.MemberChangeRejectedException;
import dev.kudu4j.server.replica.members.MembershipMonitor;
import dev.kudu4j.server.replica.members.TabletCopyRequests;
import dev.kudu4j.tablet.log.RequestId;
import dev.kudu4j.tablet.log.RequestResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** The replication of several servers in one process, and one tablet with a replica on each. */
final class GroupHarness implements AutoCloseable {
  /** One server; its replica is null while it is down. */
  static final class Server implements LocalExchange.Member {
    final String uuid;
    final Path directory;
    final int port;
    final RecordingState.Disk disk = new RecordingState.Disk();
    volatile ReplicaHarness process;
    volatile RecordingState state;
    volatile TabletReplica replica;
    volatile boolean quiescing;
    final Map<String, TabletReplica> more = new ConcurrentHashMap<>();
    MembershipMonitor keeper;

    Server(String uuid, Path directory, int port) {
      this.uuid = uuid;
      this.directory = directory;
      this.port = port;
    }

    @Override
    public ReplicaHarness process() {
      return process;
    }

    @Override
    public TabletReplica replica(String tabletId) {
      return tabletId.equals(TABLET) ? replica : more.get(tabletId);
    }

    boolean isUp() {
      return replica != null;
    }

    boolean leads() {
      TabletReplica now = replica;
      return now != null && now.isLeader();
    }
  }

  /**
   * For tests without elections: a leader keeps the leadership although the machine pauses for two
   * seconds. An unrequested election starts later.
   */
  static final RaftOptions STEADY = patient(RaftOptions.DEFAULT);

  final List<Server> servers = new CopyOnWriteArrayList<>();
  final AtomicInteger requests = new AtomicInteger();
  volatile boolean carrying = true;
  final AtomicInteger copies = new AtomicInteger();
  volatile boolean copying = true;
  volatile boolean admitting = true;
  private final Path directory;
  private final RaftOptions raftOptions;
  private final ReplicaOptions options;
  private final Optional<ClusterSecret> secret;

  GroupHarness(Path directory, int count) throws Exception {
    this(directory, count, RaftOptions.DEFAULT, ReplicaOptions.DEFAULT);
  }

  GroupHarness(Path directory, int count, RaftOptions raftOptions, ReplicaOptions options)
      throws Exception {
    this(directory, count, raftOptions, options, Optional.empty());
  }

  /**
   * @param secret of all servers
   */
  GroupHarness(
      Path directory,
      int count,
      RaftOptions raftOptions,
      ReplicaOptions options,
      Optional<ClusterSecret> secret)
      throws Exception {
    this.secret = secret;
    this.directory = directory;
    this.raftOptions = raftOptions;
    this.options = options;
    for (int i = 0; i < count; i++) {
      addServer();
    }
  }

  private static RaftOptions patient(RaftOptions options) {
    return new RaftOptions(
        options.heartbeatMillis(),
        3 * options.missedHeartbeats(),
        options.backOffMillis(),
        options.syncEachEntry(),
        options.maxEntryBytes(),
        options.segmentBytes(),
        options.segmentsKept(),
        options.followerFailedMillis(),
        options.evictFirst(),
        options.closeMillis(),
        options.transport());
  }

  /** Adds a server without a replica. */
  Server addServer() throws Exception {
    int number = servers.size();
    String uuid = Integer.toHexString(number + 1).repeat(32);
    Server server = new Server(uuid, directory.resolve("s" + number), ReplicaHarness.freePort());
    startProcess(server);
    servers.add(server);
    return server;
  }

  private void startProcess(Server server) throws Exception {
    server.process =
        new ReplicaHarness(
            server.directory, server.uuid, server.port, raftOptions, options, secret);
    server.process.raft.introducedBy(this::host);
    server.keeper =
        new MembershipMonitor(
                () -> server.isUp() ? List.of(server.replica.membership()) : List.of(),
                () -> server.quiescing,
                raftOptions,
                request -> CompletableFuture.supplyAsync(() -> copied(server, request)),
                System::nanoTime)
            .start();
    server
        .process
        .environment
        .requests()
        .setSender(
            replica -> {
              requests.incrementAndGet();
              if (carrying) {
                server.process.executor.execute(
                    () -> LocalExchange.carry(server, replica, servers));
              }
            });
  }

  /** Simulates a master, which knows all servers. */
  private Optional<String> host(String uuid) {
    return servers.stream().anyMatch(server -> server.uuid.equals(uuid))
        ? Optional.of("127.0.0.1")
        : Optional.empty();
  }

  /** Simulates a tablet copy: flushes the leader's tablet and copies its disk. */
  @SuppressWarnings("try") // the anchor is only held
  private TabletCopyRequests.Answer copied(Server leader, TabletCopyRequests.Request request) {
    Server target =
        servers.stream().filter(s -> s.uuid.equals(request.serverUuid())).findFirst().orElseThrow();
    synchronized (target) {
      if (!copying || target.process == null) {
        throw KuduException.serviceUnavailable("Server %s does not answer", target.uuid);
      }
      if (target.isUp() && target.replica.lifeCycleState() == TabletReplica.State.RUNNING) {
        if (!admitting) {
          return new TabletCopyRequests.Answer(TabletCopyRequests.Progress.COPYING, "");
        }
        if (target.replica.consensus().role() != ConsensusView.Role.LEARNER) {
          throw KuduException.serviceUnavailable("Server %s votes, as it thinks", target.uuid);
        }
        return new TabletCopyRequests.Answer(
            TabletCopyRequests.Progress.RUNS, "127.0.0.1:" + target.process.raft.self().port());
      }
      try (LogAnchor anchor = leader.replica.anchorLog(leader.state.checkpoint().index())) {
        copy(leader, target);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return new TabletCopyRequests.Answer(TabletCopyRequests.Progress.COPYING, "");
    }
  }

  private void copy(Server leader, Server target) throws IOException {
    LastVote vote = LastVote.of(target.directory, TABLET);
    if (target.isUp()) {
      target.replica.closeAndDeleteLog();
      target.replica = null;
    }
    leader.replica.flush();
    leader.state.disk().copyTo(target.disk);
    target.state = new RecordingState(target.disk);
    target.replica =
        TabletReplica.join(TABLET, target.process.environment, target.state, members(), vote);
    copies.incrementAndGet();
  }

  /** The leader sends its status to all others. */
  void tell(Server leader) {
    tell(leader, servers);
  }

  /**
   * The leader sends its status to these members, until each has accepted it or the leader has lost
   * the leadership: a member that was not needed for the election may not be in its term yet.
   */
  void tell(Server leader, List<Server> others) {
    TabletReplica replica = leader.replica;
    await().until(() -> LocalExchange.tell(leader, replica, others) || !replica.isElected());
  }

  List<RaftHost.Peer> members() {
    return servers.stream()
        .filter(server -> server.process != null)
        .map(server -> server.process.raft.self())
        .toList();
  }

  /**
   * Creates the tablet's replicas in sequence, and waits until the leader's first entry is in every
   * log. Before that, two of three can elect another leader only over our transport.
   */
  GroupHarness create() throws Exception {
    for (Server server : servers) {
      createAt(server);
    }
    await().until(() -> servers.stream().allMatch(s -> s.replica.lastLogged().index() >= 0));
    return this;
  }

  void createAt(Server server) throws Exception {
    server.state = new RecordingState(server.disk);
    server.replica =
        TabletReplica.create(TABLET, server.process.environment, server.state, members());
  }

  /** Waits for a leader that takes writes and returns it. */
  Server leader() {
    AtomicReference<Server> found = new AtomicReference<>();
    await()
        .until(
            () -> {
              servers.stream().filter(Server::leads).findFirst().ifPresent(found::set);
              return found.get() != null;
            });
    return found.get();
  }

  Server follower() {
    Server leader = leader();
    return servers.stream().filter(s -> s.isUp() && s != leader).findFirst().orElseThrow();
  }

  void stop(Server server) {
    synchronized (server) {
      TabletReplica replica = server.replica;
      server.replica = null;
      server.keeper.close();
      server.process.close();
      server.process = null;
      if (replica != null) {
        replica.close();
      }
    }
  }

  /**
   * Asks the leader to change the members, until it is done. An attempt that fails other than by a
   * rejection may have taken effect, and then the next one finds nothing to change.
   */
  void change(MemberChange... changes) {
    AtomicBoolean mayBeDone = new AtomicBoolean();
    await().until(() -> isChanged(List.of(changes), mayBeDone));
  }

  private boolean isChanged(List<MemberChange> changes, AtomicBoolean mayBeDone)
      throws InterruptedException {
    try {
      leader().replica.changeMembers(changes, OptionalLong.empty()).get();
      return true;
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof MemberChangeRejectedException refused)) {
        mayBeDone.set(true);
        return false;
      }
      if (refused.reason() == MemberChangeRejectedException.Reason.INVALID && !mayBeDone.get()) {
        throw refused;
      }
      return refused.reason() == MemberChangeRejectedException.Reason.INVALID;
    }
  }

  /**
   * Requests an election of a member until it leads: a heartbeat that it gets before its own term
   * begins makes it a follower again.
   */
  static void elect(Server told) {
    await()
        .pollInterval(Duration.ofMillis(50))
        .until(() -> told.replica.runElection() && told.leads());
  }

  /** Asks the leader to transfer the leadership to this server, until it is done. */
  void handOverTo(Server next) {
    await()
        .ignoreException(ExecutionException.class)
        .until(
            () -> {
              leader().replica.transferLeadership(Optional.of(next.uuid)).get();
              return true;
            });
  }

  static MemberChange adding(Server server) {
    return new MemberChange.Add(server.uuid, null, true, false);
  }

  /** Waits until the leader reports exactly these voters and no other members. */
  void awaitVoters(Server... voters) {
    Set<String> wanted = new TreeSet<>();
    for (Server voter : voters) {
      wanted.add(voter.uuid);
    }
    await()
        .until(
            () -> {
              Set<String> members = new TreeSet<>();
              boolean all = true;
              for (ConsensusView.Member member : leader().replica.consensus().members()) {
                members.add(member.serverUuid());
                all &= member.voter();
              }
              return all && members.equals(wanted);
            });
  }

  void restart(Server server) throws Exception {
    synchronized (server) {
      startProcess(server);
      server.state = new RecordingState(server.disk);
      server.replica = TabletReplica.open(TABLET, server.process.environment, server.state);
    }
  }

  /** Writes like a client: searches for the leader until it gets a response. */
  RequestResult write(RequestId id, String text, long... keys) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(Patience.SECONDS);
    while (true) {
      TabletReplica replica = leader().replica;
      if (replica == null) {
        continue; // stopped in between
      }
      try {
        return replica.write(insert(id, text, keys)).get(5, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        if (!isWorthATry(e.getCause()) || System.nanoTime() > deadline) {
          throw e;
        }
      } catch (TimeoutException e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
      }
    }
  }

  RequestResult write(long sequence, long... keys) throws Exception {
    return write(new RequestId("client", sequence, 1), "", keys);
  }

  private static boolean isWorthATry(Throwable failure) {
    return failure instanceof KuduException known
        && (known.code() == StatusCode.ILLEGAL_STATE
            || known.code() == StatusCode.SERVICE_UNAVAILABLE);
  }

  /** The state of each server, for failure messages. */
  String describe() {
    StringBuilder text = new StringBuilder();
    for (Server server : servers) {
      TabletReplica replica = server.replica;
      text.append('\n').append(server.uuid.charAt(0)).append(": ");
      if (replica != null) {
        text.append(replica.lifeCycleState())
            .append(", logged ")
            .append(replica.lastLogged())
            .append(", rows ")
            .append(server.state.rows().size())
            .append(", ")
            .append(replica.consensus())
            .append(replica.reason());
      }
    }
    return text.toString();
  }

  /**
   * Waits until every running server has applied the same rows as the leader. A deposed leader may
   * believe in its leadership for a moment longer, and lack rows.
   */
  void awaitEqual() {
    await()
        .untilAsserted(
            () -> {
              List<Long> rows = leader().state.rows();
              for (Server server : servers) {
                if (server.isUp()) {
                  assertThat(server.state.rows()).as(this::describe).isEqualTo(rows);
                }
              }
            });
  }

  @Override
  public void close() {
    servers.parallelStream().filter(server -> server.process != null).forEach(this::stop);
  }
}
