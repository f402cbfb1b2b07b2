package dev.kudu4j.tserver.transaction;

import com.google.protobuf.Message;
import dev.kudu4j.common.proto.transactions.CoordinateTransactionRequestPB;
import dev.kudu4j.common.proto.transactions.CoordinateTransactionResponsePB;
import dev.kudu4j.common.proto.transactions.CoordinatorOpPB;
import dev.kudu4j.common.proto.transactions.CoordinatorOpResultPB;
import dev.kudu4j.common.proto.transactions.ParticipantOpPB;
import dev.kudu4j.common.proto.transactions.ParticipantRequestPB;
import dev.kudu4j.common.proto.transactions.ParticipantResponsePB;
import dev.kudu4j.common.proto.transactions.TxnMetadataPB;
import dev.kudu4j.common.proto.transactions.TxnStatePB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.status.Failures;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.common.wire.StatusWire;
import dev.kudu4j.server.replica.TransactionParticipant;
import dev.kudu4j.server.replica.TransactionParticipant.RefusedStepException;
import dev.kudu4j.tserver.error.TabletServerError;
import dev.kudu4j.tserver.tablets.HostedTablet;
import dev.kudu4j.tserver.tablets.TabletRegistry;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * The calls of masters and tablet servers about transactions: operations of coordinators, and steps
 * of participants. Thread-safe.
 */
public final class TransactionCalls {
  private static final long MAX_WAIT_MILLIS = 2_000; // less than callers wait for an answer

  private final TabletRegistry tablets;
  private final Coordinators coordinators;
  private final HybridClock clock;
  private final LongSupplier keepaliveMillis;

  TransactionCalls(
      TabletRegistry tablets,
      Coordinators coordinators,
      HybridClock clock,
      LongSupplier keepaliveMillis) {
    this.tablets = tablets;
    this.coordinators = coordinators;
    this.clock = clock;
    this.keepaliveMillis = keepaliveMillis;
  }

  public void coordinate(CoordinateTransactionRequestPB request, RpcCall call) {
    CompletableFuture<CoordinatorOpResultPB> result;
    try {
      result = coordinate(request);
    } catch (RuntimeException e) {
      result = CompletableFuture.failedFuture(e);
    }
    result.whenComplete(
        (done, failure) -> {
          if (failure == null) {
            call.respond(CoordinateTransactionResponsePB.newBuilder().setOpResult(done).build());
          } else {
            fail(call, Failures.unwrap(failure));
          }
        });
  }

  /**
   * The result of an operation, which may be a refusal. Before a refusal, and before a client is
   * told that its transaction is open, the coordinator makes sure that there is no later one. Fails
   * if the caller should repeat the operation: a row could not be stored.
   */
  private CompletableFuture<CoordinatorOpResultPB> coordinate(
      CoordinateTransactionRequestPB request) {
    Coordinator coordinator = coordinators.require(request.getTxnStatusTabletId());
    CoordinatorOpPB operation = request.getOp();
    return operateOrRefuse(coordinator, operation)
        .thenCompose(
            result ->
                result.hasOpError() || result.getTxnStatus().getState() == TxnStatePB.OPEN
                    ? coordinator.confirm(operation.getTxnId()).thenApply(sure -> result)
                    : CompletableFuture.completedFuture(result))
        .exceptionally(
            failure -> {
              throw KuduException.serviceUnavailable(
                  "The coordinator could not store the operation: %s; try again",
                  String.valueOf(Failures.unwrap(failure).getMessage()));
            });
  }

  private CompletableFuture<CoordinatorOpResultPB> operateOrRefuse(
      Coordinator coordinator, CoordinatorOpPB operation) {
    try {
      return operate(coordinator, operation);
    } catch (KuduException e) {
      return switch (e.code()) {
        case ILLEGAL_STATE, NOT_FOUND, NOT_AUTHORIZED, END_OF_FILE ->
            CompletableFuture.completedFuture(
                CoordinatorOpResultPB.newBuilder().setOpError(StatusWire.toWire(e)).build());
        default -> throw e;
      };
    }
  }

  private CompletableFuture<CoordinatorOpResultPB> operate(
      Coordinator coordinator, CoordinatorOpPB operation) {
    long id = operation.getTxnId();
    String user = operation.getUser();
    return switch (operation.getType()) {
      case BEGIN_TXN ->
          coordinator
              .begin(user)
              .thenApply(
                  begun ->
                      CoordinatorOpResultPB.newBuilder()
                          .setHighestSeenTxnId(begun)
                          .setKeepaliveMillis((int) keepaliveMillis.getAsLong())
                          .build());
      case REGISTER_PARTICIPANT ->
          done(
              coordinator.register(
                  id, operation.getTxnParticipantId(), operation.hasUser() ? user : null));
      case BEGIN_COMMIT_TXN ->
          operation.getWaitMillis() == 0
              ? done(coordinator.commit(id, user))
              : coordinator
                  .commitAndWait(id, user, waitMillis(operation))
                  .thenApply(
                      status -> CoordinatorOpResultPB.newBuilder().setTxnStatus(status).build());
      case ABORT_TXN -> done(coordinator.abort(id, user));
      case GET_TXN_STATUS ->
          CompletableFuture.completedFuture(
              CoordinatorOpResultPB.newBuilder()
                  .setTxnStatus(coordinator.status(id, user))
                  .build());
      case KEEP_TXN_ALIVE -> {
        coordinator.keepAlive(id, user);
        yield done(CompletableFuture.completedFuture(null));
      }
      case UNKNOWN ->
          throw KuduException.invalidArgument("Unknown operation of a coordinator of transactions");
    };
  }

  private static long waitMillis(CoordinatorOpPB operation) {
    return Math.min(MAX_WAIT_MILLIS, Integer.toUnsignedLong(operation.getWaitMillis()));
  }

  private static CompletableFuture<CoordinatorOpResultPB> done(CompletableFuture<Void> operation) {
    return operation.thenApply(done -> CoordinatorOpResultPB.getDefaultInstance());
  }

  private static void fail(RpcCall call, Throwable failure) {
    TabletServerError.answer(
        call,
        failure,
        error ->
            call.respond(CoordinateTransactionResponsePB.newBuilder().setError(error).build()));
  }

  public void participate(ParticipantRequestPB request, RpcCall call) {
    ParticipantOpPB step = request.getOp();
    CompletableFuture<ParticipantResponsePB.Builder> result;
    HostedTablet[] tablet = new HostedTablet[1];
    try {
      tablet[0] = tablets.running(request.getTabletId());
      result = carryOut(step, tablet[0].replica().transactions());
    } catch (RuntimeException e) {
      result = CompletableFuture.failedFuture(e);
    }
    result.whenComplete(
        (done, failure) -> {
          if (failure == null) {
            respond(call, done);
          } else {
            stepFailed(tablet[0], call, Failures.unwrap(failure));
          }
        });
  }

  private CompletableFuture<ParticipantResponsePB.Builder> carryOut(
      ParticipantOpPB step, TransactionParticipant participant) {
    long id = step.getTxnId();
    CompletableFuture<Void> done =
        switch (step.getType()) {
          case BEGIN_TXN -> CompletableFuture.completedFuture(null); // its first rows begin it
          case BEGIN_COMMIT ->
              participant.prepare(id, requireTimestamp(step), step.getCoordinatorTerm());
          case FINALIZE_COMMIT -> participant.commit(id, requireTimestamp(step));
          case ABORT_TXN -> participant.abort(id);
          case GET_METADATA -> CompletableFuture.completedFuture(null);
          case UNKNOWN ->
              throw KuduException.invalidArgument("Unknown step of a transaction in a tablet");
        };
    return done.thenApply(
        nothing -> {
          ParticipantResponsePB.Builder response = ParticipantResponsePB.newBuilder();
          return step.getType() == ParticipantOpPB.ParticipantOpType.GET_METADATA
              ? response.setMetadata(metadata(id, participant))
              : response;
        });
  }

  private static long requireTimestamp(ParticipantOpPB step) {
    if (!step.hasFinalizedCommitTimestamp()) {
      throw KuduException.invalidArgument("A commit needs a timestamp");
    }
    return step.getFinalizedCommitTimestamp();
  }

  private static TxnMetadataPB metadata(long id, TransactionParticipant participant) {
    TxnMetadataPB.Builder metadata = TxnMetadataPB.newBuilder();
    participant.open().stream()
        .filter(open -> open.id() == id && open.isPrepared())
        .forEach(open -> metadata.setCommitTimestamp(open.commitTimestamp()));
    return metadata.build();
  }

  private void stepFailed(HostedTablet tablet, RpcCall call, Throwable failure) {
    Throwable told =
        tablet != null
                && failure instanceof KuduException known
                && !(failure instanceof TabletServerError)
            ? stepError(tablet, known)
            : failure;
    TabletServerError.answer(
        call, told, error -> respond(call, ParticipantResponsePB.newBuilder().setError(error)));
  }

  /**
   * The error of a step. One that may succeed later is not repeated as it is: perhaps its timestamp
   * has passed, and the coordinator must choose another.
   */
  private static TabletServerError stepError(HostedTablet tablet, KuduException failure) {
    String message = String.valueOf(failure.getMessage());
    if (failure.code() == StatusCode.SERVICE_UNAVAILABLE) {
      return new TabletServerError(
          TabletServerErrorPB.Code.TXN_LOCKED_RETRY_OP, failure.code(), message);
    }
    if (failure.code() == StatusCode.ILLEGAL_STATE && !(failure instanceof RefusedStepException)) {
      return TabletServerError.notLeader(tablet.tabletId());
    }
    return new TabletServerError(
        TabletServerErrorPB.Code.TXN_ILLEGAL_STATE, failure.code(), message);
  }

  private void respond(RpcCall call, ParticipantResponsePB.Builder response) {
    call.respond((Message) response.setTimestamp(clock.now()).build());
  }
}
