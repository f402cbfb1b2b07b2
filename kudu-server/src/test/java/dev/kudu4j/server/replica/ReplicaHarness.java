package dev.kudu4j.server.replica;

import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.security.ClusterSecret;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.common.time.TimeSource;
import dev.kudu4j.server.metrics.model.LatencyHistogram;
import dev.kudu4j.server.raft.FreePort;
import dev.kudu4j.server.raft.RaftHost;
import dev.kudu4j.server.raft.RaftOptions;
import dev.kudu4j.server.replica.write.ApplyGate;
import dev.kudu4j.server.replica.write.WriteAdmission;
import dev.kudu4j.server.replica.write.WriteSubmission;
import dev.kudu4j.tablet.log.RequestId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The replication of one server, in a directory, with tablets whose state only records. */
final class ReplicaHarness implements AutoCloseable {
  static final String TABLET = "0123456789abcdef0123456789abcdef";
  static final String SERVER = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
  static final RowLayout LAYOUT =
      new RowLayout(List.of(DataType.INT64, DataType.STRING), new boolean[] {false, true});

  final RaftHost raft;
  final ExecutorService executor = Executors.newFixedThreadPool(2);
  final ReplicaEnvironment environment;
  final AtomicLong clockMovedMicros = new AtomicLong();
  final HybridClock clock =
      new HybridClock(TimeSource.system(1000).movedBy(clockMovedMicros::get), 10_000_000);

  ReplicaHarness(Path directory) throws IOException {
    this(directory, RaftOptions.DEFAULT, ReplicaOptions.DEFAULT);
  }

  ReplicaHarness(Path directory, RaftOptions raftOptions, ReplicaOptions options)
      throws IOException {
    this(directory, SERVER, freePort(), raftOptions, options);
  }

  /** A harness whose writes and entries are admitted by a server's memory. */
  ReplicaHarness(Path directory, WriteAdmission admission, ApplyGate gate) throws IOException {
    this(
        directory,
        SERVER,
        freePort(),
        RaftOptions.DEFAULT,
        ReplicaOptions.DEFAULT,
        Optional.empty(),
        admission,
        gate);
  }

  ReplicaHarness(
      Path directory, String server, int port, RaftOptions raftOptions, ReplicaOptions options)
      throws IOException {
    this(directory, server, port, raftOptions, options, Optional.empty());
  }

  ReplicaHarness(
      Path directory,
      String server,
      int port,
      RaftOptions raftOptions,
      ReplicaOptions options,
      Optional<ClusterSecret> secret)
      throws IOException {
    this(
        directory,
        server,
        port,
        raftOptions,
        options,
        secret,
        new WriteAdmission(256 << 20),
        ApplyGate.open());
  }

  private ReplicaHarness(
      Path directory,
      String server,
      int port,
      RaftOptions raftOptions,
      ReplicaOptions options,
      Optional<ClusterSecret> secret,
      WriteAdmission admission,
      ApplyGate gate)
      throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    raft =
        RaftHost.start(
            raftOptions,
            server,
            directory,
            new InetSocketAddress(loopback, port),
            loopback.getHostAddress(),
            secret);
    environment =
        new ReplicaEnvironment(
            raft,
            clock,
            admission,
            executor,
            System::nanoTime,
            options,
            new LatencyHistogram(),
            gate);
  }

  static int freePort() throws IOException {
    return FreePort.find(InetAddress.getLoopbackAddress(), new Random());
  }

  TabletReplica create(ReplicaState state) throws Exception {
    return create(TABLET, state);
  }

  TabletReplica create(String tabletId, ReplicaState state) throws Exception {
    TabletReplica replica =
        TabletReplica.create(tabletId, environment, state, List.of(raft.self()));
    replica.whenLeader().get(30, TimeUnit.SECONDS);
    return replica;
  }

  TabletReplica open(ReplicaState state) throws Exception {
    TabletReplica replica = TabletReplica.open(TABLET, environment, state);
    replica.whenLeader().get(30, TimeUnit.SECONDS);
    return replica;
  }

  static WriteSubmission insert(RequestId id, long... keys) {
    return insert(id, "", keys);
  }

  static WriteSubmission insert(RequestId id, String text, long... keys) {
    RowOperationsWriter writer = new RowOperationsWriter(LAYOUT);
    for (long key : keys) {
      writer.begin(OperationType.INSERT).setLong(0, key).setString(1, text).end();
    }
    return new WriteSubmission(
        id,
        0,
        new int[] {0, 1},
        writer.packed(),
        WriteSubmission.NO_DEADLINE,
        WriteSubmission.ANY_TERM);
  }

  @Override
  public void close() {
    raft.close();
    executor.shutdown();
  }
}
