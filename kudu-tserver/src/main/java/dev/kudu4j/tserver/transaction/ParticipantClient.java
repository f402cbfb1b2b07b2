package dev.kudu4j.tserver.transaction;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.transactions.ParticipantOpPB;
import dev.kudu4j.common.proto.transactions.ParticipantOpPB.ParticipantOpType;
import dev.kudu4j.common.proto.transactions.ParticipantRequestPB;
import dev.kudu4j.common.proto.transactions.ParticipantResponsePB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.server.leaders.TabletLeaders;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Sends the steps of transactions to the leaders of their tablets. Thread-safe. */
final class ParticipantClient implements Participants {
  private static final long STEP_SECONDS = 10;

  /** Others that have prepared wait. */
  private static final long PREPARE_SECONDS = 3;

  private final TabletLeaders leaders;
  private final HybridClock clock;

  /**
   * @param clock advanced past the clocks of the participants, so that it does not choose
   *     timestamps that have passed there
   */
  ParticipantClient(TabletLeaders leaders, HybridClock clock) {
    this.leaders = leaders;
    this.clock = clock;
  }

  @Override
  public CompletableFuture<Void> prepare(
      String tabletId, long transaction, long commitTimestamp, long term) {
    return send(
        tabletId,
        ParticipantOpPB.newBuilder()
            .setType(ParticipantOpType.BEGIN_COMMIT)
            .setTxnId(transaction)
            .setFinalizedCommitTimestamp(commitTimestamp)
            .setCoordinatorTerm(term),
        PREPARE_SECONDS);
  }

  @Override
  public CompletableFuture<Void> commit(String tabletId, long transaction, long commitTimestamp) {
    return send(
        tabletId,
        ParticipantOpPB.newBuilder()
            .setType(ParticipantOpType.FINALIZE_COMMIT)
            .setTxnId(transaction)
            .setFinalizedCommitTimestamp(commitTimestamp),
        STEP_SECONDS);
  }

  @Override
  public CompletableFuture<Void> abort(String tabletId, long transaction) {
    return send(
        tabletId,
        ParticipantOpPB.newBuilder().setType(ParticipantOpType.ABORT_TXN).setTxnId(transaction),
        STEP_SECONDS);
  }

  private CompletableFuture<Void> send(
      String tabletId, ParticipantOpPB.Builder step, long seconds) {
    ParticipantRequestPB request =
        ParticipantRequestPB.newBuilder()
            .setTabletId(ByteString.copyFromUtf8(tabletId))
            .setOp(step)
            .build();
    return leaders
        .call(
            tabletId,
            "ParticipateInTransaction",
            request,
            ParticipantResponsePB.parser(),
            this::error,
            System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds))
        .thenApply(done -> null);
  }

  private TabletServerErrorPB error(ParticipantResponsePB response) {
    if (response.hasTimestamp()) {
      try {
        clock.update(response.getTimestamp());
      } catch (KuduException e) {
        // Its clock is too far ahead: it will refuse timestamps, and the transaction is aborted.
      }
    }
    return response.getError();
  }
}
