package dev.kudu4j.client;

import com.google.protobuf.ByteString;
import dev.kudu4j.client.cluster.Cluster;
import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.Failures;
import dev.kudu4j.client.cluster.MasterCall;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.master.MasterFeatures;
import dev.kudu4j.common.proto.master.RebalanceRequestPB;
import dev.kudu4j.common.proto.master.RebalanceResponsePB;
import dev.kudu4j.common.proto.master.RebalanceResponsePB.MovePB;
import dev.kudu4j.common.proto.master.TSInfoPB;
import dev.kudu4j.common.status.StatusCode;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Moves of replicas that distribute the replicas of each table, and of the cluster, evenly over the
 * tablet servers. Only superusers may request them. The leading master plans the moves; each {@link
 * #poll} begins some of them, and the master and the tablet servers complete these whether or not
 * this client polls again. Nothing is moved while a tablet server is silent.
 *
 * <pre>{@code
 * KuduRebalancing rebalancing = client.rebalance(5);
 * while (!rebalancing.poll()) {
 *   Thread.sleep(1000);
 * }
 * }</pre>
 *
 * <p>Apache Kudu's masters cannot be asked: all methods that ask then fail with NOT_SUPPORTED, and
 * {@code kudu cluster rebalance} does the same with any servers. Not thread-safe.
 */
public final class KuduRebalancing {
  private static final MasterCall<RebalanceResponsePB> REBALANCE =
      MasterCall.of("Rebalance", RebalanceResponsePB.parser(), RebalanceResponsePB::getError)
          .requiring(List.of(MasterFeatures.REBALANCE_VALUE));

  /**
   * If some tablets cannot be moved, the rebalancing ends after nothing could be moved for this
   * long. A tablet in an election can be moved seconds later; a broken one never can.
   */
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Cluster cluster;
  private final long timeoutMillis;
  private final int maxMovesPerServer;
  private final LongSupplier nanoClock;
  private final MovesOfTablets moves = new MovesOfTablets();
  private RebalanceResponsePB last = RebalanceResponsePB.getDefaultInstance();
  private OptionalLong quietSinceNanos = OptionalLong.empty();

  /**
   * @param timeoutMillis the timeout of each request
   */
  KuduRebalancing(
      Cluster cluster, long timeoutMillis, int maxMovesPerServer, LongSupplier nanoClock) {
    if (maxMovesPerServer < 1) {
      throw new IllegalArgumentException(
          "At least 1 move from or to a server has to be allowed, not " + maxMovesPerServer);
    }
    this.cluster = cluster;
    this.timeoutMillis = timeoutMillis;
    this.maxMovesPerServer = maxMovesPerServer;
    this.nanoClock = nanoClock;
  }

  /**
   * Begins the moves for which both servers have room, and asks how far the earlier ones are. A
   * tablet that was moved three times is not moved again.
   *
   * @return whether the rebalancing has ended: nothing is in progress, and nothing more can be
   *     moved. If some tablets cannot be moved, it ends ten seconds after the last move
   * @throws KuduException NOT_SUPPORTED if the master cannot be asked; NOT_AUTHORIZED if the user
   *     is no superuser; ILLEGAL_STATE, or TIMED_OUT after repeated requests, with the names of
   *     tablet servers that are silent
   */
  public boolean poll() throws KuduException {
    RebalanceRequestPB.Builder request = request();
    moves.movedTooOften().forEach(id -> request.addExcludedTabletIds(ByteString.copyFromUtf8(id)));
    last = ask(request.build());
    List<ReplicaMove> begun = new ArrayList<>();
    List<ReplicaMove> earlier = new ArrayList<>();
    for (MovePB move : last.getMovesList()) {
      boolean isNew = move.getState() == RebalanceResponsePB.State.BEGUN;
      (isNew ? begun : earlier).add(fromWire(move));
    }
    moves.update(begun, earlier);
    return hasEnded();
  }

  private boolean hasEnded() {
    if (moves.anyInProgress() || last.getPlannedMoves() > 0) {
      quietSinceNanos = OptionalLong.empty();
      return false;
    }
    long now = nanoClock.getAsLong();
    if (quietSinceNanos.isEmpty()) {
      quietSinceNanos = OptionalLong.of(now);
    }
    return last.getUnmovableTablets() == 0 || now - quietSinceNanos.getAsLong() >= QUIET_NANOS;
  }

  /**
   * The moves in progress and those that are planned now. Begins none.
   *
   * @throws KuduException as {@link #poll}
   */
  public List<ReplicaMove> plan() throws KuduException {
    last = ask(request().setReportOnly(true).build());
    return last.getMovesList().stream().map(this::fromWire).toList();
  }

  private RebalanceRequestPB.Builder request() {
    return RebalanceRequestPB.newBuilder().setMaxMovesPerServer(maxMovesPerServer);
  }

  private RebalanceResponsePB ask(RebalanceRequestPB request) throws KuduException {
    return KuduClient.join(
        AsyncKuduClient.edge(
            cluster
                .callMaster(REBALANCE, request, Deadline.after(timeoutMillis))
                .exceptionallyCompose(KuduRebalancing::explained)));
  }

  private static CompletableFuture<RebalanceResponsePB> explained(Throwable failure) {
    return CompletableFuture.failedFuture(
        Failures.unwrap(failure) instanceof dev.kudu4j.common.status.KuduException refused
                && refused.code() == StatusCode.NOT_SUPPORTED
            ? new dev.kudu4j.common.status.KuduException(
                StatusCode.NOT_SUPPORTED,
                "This cluster's masters cannot be asked to rebalance, only Kudu4j's of this"
                    + " version; run kudu cluster rebalance, which works with any servers",
                refused)
            : failure);
  }

  /**
   * The moves seen by {@link #poll} so far, in the order in which they were begun, including those
   * that the master has begun by itself or for another caller meanwhile.
   */
  public List<ReplicaMove> moves() {
    return moves.moves();
  }

  /** The number of moves that were planned and not begun, at the last request. */
  public int plannedMoves() {
    return last.getPlannedMoves();
  }

  /**
   * The number of tablets that could not be moved at the last request: a replica is missing or has
   * failed, there is no leader, or the tablet was moved too often.
   */
  public int unmovableTablets() {
    return last.getUnmovableTablets();
  }

  /**
   * The difference between the servers with the most and the fewest replicas before the last
   * request.
   */
  public int replicaSkew() {
    return last.getReplicaSkew();
  }

  /**
   * The difference between the servers with the most and the fewest leaders before the last
   * request. The master evens out leaders by itself, once replicas have moved.
   */
  public int leaderSkew() {
    return last.getLeaderSkew();
  }

  // ---------------------------------------------------------------- messages

  private ReplicaMove fromWire(MovePB move) {
    return new ReplicaMove(
        move.getTabletId().toStringUtf8(),
        move.getTable().getTableId().toStringUtf8(),
        move.getTable().getTableName(),
        server(move.getFromTsInfoIdx()),
        server(move.getToTsInfoIdx()),
        reason(move.getReason()),
        move.getState() == RebalanceResponsePB.State.PLANNED
            ? ReplicaMove.State.PLANNED
            : ReplicaMove.State.IN_PROGRESS);
  }

  private String server(int index) {
    TSInfoPB server = last.getTsInfos(index);
    if (server.getRpcAddressesCount() == 0) {
      return server.getPermanentUuid().toStringUtf8();
    }
    HostPortPB address = server.getRpcAddresses(0);
    return address.getHost() + ":" + address.getPort();
  }

  private static ReplicaMove.Reason reason(RebalanceResponsePB.Reason reason) {
    return switch (reason) {
      case LEAVING -> ReplicaMove.Reason.LEAVING;
      case LOCATION -> ReplicaMove.Reason.LOCATION;
      case TABLE -> ReplicaMove.Reason.TABLE;
      case CLUSTER -> ReplicaMove.Reason.CLUSTER;
      case UNKNOWN_REASON -> ReplicaMove.Reason.UNKNOWN;
    };
  }
}
