package dev.kudu4j.server.replica;

import static dev.kudu4j.server.replica.ReplicaHarness.TABLET;
import static dev.kudu4j.server.replica.ReplicaHarness.insert;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tablet.log.RequestId;
import dev.kudu4j.tablet.log.RequestResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** Several processes' shares of replication in one, and one tablet with a replica in each. */
final class GroupHarness implements AutoCloseable {
  /** One server; its replica is null while it is down. */
  static final class Server {
    final String uuid;
    final Path directory;
    final int port;
    final RecordingState.Disk disk = new RecordingState.Disk();
    ReplicaHarness process;
    RecordingState state;
    TabletReplica replica;

    Server(String uuid, Path directory, int port) {
      this.uuid = uuid;
      this.directory = directory;
      this.port = port;
    }

    boolean isUp() {
      return replica != null;
    }
  }

  final List<Server> servers = new ArrayList<>();
  final AtomicInteger requests = new AtomicInteger();
  volatile boolean carrying = true;
  private final RaftOptions raftOptions;
  private final ReplicaOptions options;

  GroupHarness(Path directory, int count) throws Exception {
    this(directory, count, RaftOptions.DEFAULT, ReplicaOptions.DEFAULT);
  }

  GroupHarness(Path directory, int count, RaftOptions raftOptions, ReplicaOptions options)
      throws Exception {
    this.raftOptions = raftOptions;
    this.options = options;
    for (int i = 0; i < count; i++) {
      String uuid = Integer.toHexString(10 + i).repeat(32);
      Server server = new Server(uuid, directory.resolve("s" + i), ReplicaHarness.freePort());
      servers.add(server);
      startProcess(server);
    }
  }

  private void startProcess(Server server) throws Exception {
    server.process =
        new ReplicaHarness(server.directory, server.uuid, server.port, raftOptions, options);
    server
        .process
        .environment
        .requests()
        .carriedBy(
            (replica, snapshot) -> {
              requests.incrementAndGet();
              if (carrying) {
                server.process.executor.execute(() -> carry(server, snapshot));
              }
            });
  }

  /** What the servers tell each other beside Raft, carried without a network. */
  private void carry(Server asking, long snapshot) {
    if (asking.isUp() && asking.replica.isLeader()) {
      tell(asking);
    } else {
      for (Server server : servers) {
        if (server.isUp() && server.replica.isLeader()) {
          server
              .replica
              .safeTime()
              .whenReadable(snapshot, TimeUnit.SECONDS.toNanos(10))
              .thenRun(() -> server.replica.word().ifPresent(asking.replica::hear));
        }
      }
    }
  }

  /** The leader tells all others. */
  void tell(Server leader) {
    long time = leader.process.clock.now();
    LeaderWord word = leader.replica.word().orElse(null);
    for (Server server : servers) {
      if (word != null && server != leader && server.isUp() && server.replica.hear(word)) {
        leader.replica.confirmed(server.uuid, word.term(), time);
      }
    }
  }

  List<RaftHost.Peer> members() {
    return servers.stream().map(server -> server.process.raft.self()).toList();
  }

  /** Creates the tablet's replicas, one after the other. */
  GroupHarness create() throws Exception {
    for (Server server : servers) {
      server.state = new RecordingState(server.disk);
      server.replica =
          TabletReplica.create(TABLET, server.process.environment, server.state, members());
    }
    return this;
  }

  /** The one that leads and takes writes; waits for it. */
  Server leader() {
    Await.until(() -> servers.stream().anyMatch(s -> s.isUp() && s.replica.isLeader()));
    return servers.stream().filter(s -> s.isUp() && s.replica.isLeader()).findFirst().orElseThrow();
  }

  Server follower() {
    Server leader = leader();
    return servers.stream().filter(s -> s.isUp() && s != leader).findFirst().orElseThrow();
  }

  void stop(Server server) {
    server.process.close();
    server.replica.close();
    server.replica = null;
  }

  void restart(Server server) throws Exception {
    startProcess(server);
    server.state = new RecordingState(server.disk);
    server.replica = TabletReplica.open(TABLET, server.process.environment, server.state);
  }

  /** Writes like a client: looks for the leader until it gets an answer. */
  RequestResult write(RequestId id, String text, long... keys) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (true) {
      try {
        return leader().replica.write(insert(id, text, keys)).get(5, TimeUnit.SECONDS);
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

  /** Waits until every server that is up has applied the same rows as the leader. */
  void awaitEqual() {
    List<Long> rows = leader().state.rows();
    for (Server server : servers) {
      if (server.isUp()) {
        Await.until(() -> server.state.rows().size() >= rows.size());
        org.assertj.core.api.Assertions.assertThat(server.state.rows()).isEqualTo(rows);
      }
    }
  }

  @Override
  public void close() {
    servers.parallelStream()
        .filter(Server::isUp)
        .forEach(
            server -> {
              server.process.close();
              server.replica.close();
            });
  }
}
