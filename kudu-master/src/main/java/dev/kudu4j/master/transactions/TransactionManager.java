package dev.kudu4j.master.transactions;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.proto.masters.EnsureStatusTabletRequestPB;
import dev.kudu4j.common.proto.masters.EnsureStatusTabletResponsePB;
import dev.kudu4j.common.proto.transactions.AbortTransactionRequestPB;
import dev.kudu4j.common.proto.transactions.AbortTransactionResponsePB;
import dev.kudu4j.common.proto.transactions.BeginTransactionRequestPB;
import dev.kudu4j.common.proto.transactions.BeginTransactionResponsePB;
import dev.kudu4j.common.proto.transactions.CommitTransactionRequestPB;
import dev.kudu4j.common.proto.transactions.CommitTransactionResponsePB;
import dev.kudu4j.common.proto.transactions.CoordinatorOpPB;
import dev.kudu4j.common.proto.transactions.CoordinatorOpPB.CoordinatorOpType;
import dev.kudu4j.common.proto.transactions.CoordinatorOpResultPB;
import dev.kudu4j.common.proto.transactions.GetTransactionStateRequestPB;
import dev.kudu4j.common.proto.transactions.GetTransactionStateResponsePB;
import dev.kudu4j.common.proto.transactions.KeepTransactionAliveRequestPB;
import dev.kudu4j.common.proto.transactions.KeepTransactionAliveResponsePB;
import dev.kudu4j.common.proto.transactions.TxnManagerErrorPB;
import dev.kudu4j.common.proto.transactions.TxnStatePB;
import dev.kudu4j.common.rpc.Access;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.rpc.RpcService;
import dev.kudu4j.common.rpc.execution.CallCost;
import dev.kudu4j.common.status.Failures;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.StatusWire;
import dev.kudu4j.master.group.MasterPeerService;
import dev.kudu4j.server.leaders.CoordinatorClient;
import dev.kudu4j.server.leaders.CoordinatorClient.NoStatusTableException;
import dev.kudu4j.server.leaders.CoordinatorClient.StatusTablet;
import dev.kudu4j.server.leaders.LeadingMaster;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * {@code kudu.transactions.TxnManagerService}: the calls of clients about transactions, passed on
 * to the coordinators. Thread-safe.
 */
public final class TransactionManager {
  private static final String NAME = "kudu.transactions.TxnManagerService";

  /** After this time a client is told to try again, perhaps at another master. */
  private static final long MAX_SECONDS = 10;

  private final CoordinatorClient coordinators;
  private final LeadingMaster master;

  public TransactionManager(CoordinatorClient coordinators, LeadingMaster master) {
    this.coordinators = coordinators;
    this.master = master;
  }

  public RpcService service() {
    RpcService.Builder service = RpcService.builder(NAME);
    bind(
        service,
        "BeginTransaction",
        BeginTransactionRequestPB.parser(),
        (request, call) -> begin(call.caller().user(), deadline(call)),
        result ->
            BeginTransactionResponsePB.newBuilder()
                .setTxnId(result.getHighestSeenTxnId())
                .setKeepaliveMillis(result.getKeepaliveMillis())
                .build(),
        error -> BeginTransactionResponsePB.newBuilder().setError(error).build());
    bind(
        service,
        "CommitTransaction",
        CommitTransactionRequestPB.parser(),
        (request, call) ->
            send(
                operation(CoordinatorOpType.BEGIN_COMMIT_TXN, request.getTxnId(), call)
                    .setWaitMillis(request.getWaitMillis()),
                call),
        TransactionManager::commit,
        error -> CommitTransactionResponsePB.newBuilder().setError(error).build());
    bind(
        service,
        "AbortTransaction",
        AbortTransactionRequestPB.parser(),
        (request, call) -> send(CoordinatorOpType.ABORT_TXN, request.getTxnId(), call),
        result -> AbortTransactionResponsePB.getDefaultInstance(),
        error -> AbortTransactionResponsePB.newBuilder().setError(error).build());
    bind(
        service,
        "GetTransactionState",
        GetTransactionStateRequestPB.parser(),
        (request, call) -> send(CoordinatorOpType.GET_TXN_STATUS, request.getTxnId(), call),
        TransactionManager::state,
        error -> GetTransactionStateResponsePB.newBuilder().setError(error).build());
    bind(
        service,
        "KeepTransactionAlive",
        KeepTransactionAliveRequestPB.parser(),
        (request, call) -> send(CoordinatorOpType.KEEP_TXN_ALIVE, request.getTxnId(), call),
        result -> KeepTransactionAliveResponsePB.getDefaultInstance(),
        error -> KeepTransactionAliveResponsePB.newBuilder().setError(error).build());
    return service.build();
  }

  private static GetTransactionStateResponsePB state(CoordinatorOpResultPB result) {
    GetTransactionStateResponsePB.Builder state =
        GetTransactionStateResponsePB.newBuilder().setState(result.getTxnStatus().getState());
    if (result.getTxnStatus().hasCommitTimestamp()) {
      state.setCommitTimestamp(result.getTxnStatus().getCommitTimestamp());
    }
    return state.build();
  }

  /**
   * Binds a method.
   *
   * @param operation calls the coordinator
   * @param answer the response for the coordinator's result
   * @param failed the response with an error
   */
  private static <Q extends Message> void bind(
      RpcService.Builder service,
      String method,
      Parser<Q> parser,
      BiFunction<Q, RpcCall, CompletableFuture<CoordinatorOpResultPB>> operation,
      Function<CoordinatorOpResultPB, Message> answer,
      Function<TxnManagerErrorPB, Message> failed) {
    service.method(
        method,
        Access.CLIENT,
        CallCost.SHORT,
        parser,
        (request, call) ->
            operation
                .apply(request, call)
                .whenComplete(
                    (result, failure) ->
                        call.respond(
                            failure == null
                                ? answer.apply(result)
                                : failed.apply(error(Failures.unwrap(failure))))));
  }

  private static TxnManagerErrorPB error(Throwable failure) {
    KuduException known =
        failure instanceof KuduException ours
            ? ours
            : new KuduException(StatusCode.RUNTIME_ERROR, String.valueOf(failure), failure);
    return TxnManagerErrorPB.newBuilder()
        .setCode(TxnManagerErrorPB.Code.UNKNOWN_ERROR)
        .setStatus(StatusWire.toWire(codeForClients(known.code()), known.getMessage()))
        .build();
  }

  /**
   * Clients repeat only what is unavailable. Apache Kudu calls the id of a transaction that does
   * not exist an invalid argument.
   */
  private static StatusCode codeForClients(StatusCode code) {
    return switch (code) {
      case TIMED_OUT, NETWORK_ERROR -> StatusCode.SERVICE_UNAVAILABLE;
      case NOT_FOUND -> StatusCode.INVALID_ARGUMENT;
      default -> code;
    };
  }

  private static long deadline(RpcCall call) {
    long own = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_SECONDS);
    return Math.min(own, call.deadlineNanos().orElse(own));
  }

  private static CommitTransactionResponsePB commit(CoordinatorOpResultPB result) {
    CommitTransactionResponsePB.Builder response = CommitTransactionResponsePB.newBuilder();
    if (result.getTxnStatus().getState() == TxnStatePB.COMMITTED) {
      response.setCommitTimestamp(result.getTxnStatus().getCommitTimestamp());
    }
    return response.build();
  }

  private static CoordinatorOpPB.Builder operation(CoordinatorOpType type, long id, RpcCall call) {
    return CoordinatorOpPB.newBuilder().setType(type).setTxnId(id).setUser(call.caller().user());
  }

  private CompletableFuture<CoordinatorOpResultPB> send(
      CoordinatorOpType type, long id, RpcCall call) {
    return send(operation(type, id, call), call);
  }

  private CompletableFuture<CoordinatorOpResultPB> send(
      CoordinatorOpPB.Builder operation, RpcCall call) {
    long id = operation.getTxnId();
    return coordinators
        .call(operation.build(), deadline(call))
        .exceptionally(
            failure -> {
              Throwable cause = Failures.unwrap(failure);
              throw cause instanceof NoStatusTableException
                  ? CoordinatorClient.unknown(id)
                  : Failures.asRuntime(cause);
            });
  }

  /** Begins a transaction in the last tablet of the table, which is created or extended first. */
  private CompletableFuture<CoordinatorOpResultPB> begin(String user, long deadlineNanos) {
    CoordinatorOpPB operation =
        CoordinatorOpPB.newBuilder().setType(CoordinatorOpType.BEGIN_TXN).setUser(user).build();
    return coordinators
        .lastTablet(deadlineNanos)
        .thenCompose(tablet -> begin(tablet, operation, deadlineNanos))
        .exceptionallyCompose(
            failure -> {
              Throwable cause = Failures.unwrap(failure);
              return cause instanceof NoStatusTableException
                  ? ensure(0, deadlineNanos)
                      .thenCompose(done -> coordinators.findLastTablet(deadlineNanos))
                      .thenCompose(tablet -> begin(tablet, operation, deadlineNanos))
                  : CompletableFuture.failedFuture(cause);
            });
  }

  private CompletableFuture<CoordinatorOpResultPB> begin(
      StatusTablet tablet, CoordinatorOpPB operation, long deadlineNanos) {
    return coordinators
        .call(tablet, operation, deadlineNanos)
        .exceptionallyCompose(
            failure -> {
              Throwable cause = Failures.unwrap(failure);
              return Failures.codeOf(cause) == StatusCode.END_OF_FILE
                  ? ensure(tablet.endId(), deadlineNanos)
                      .thenCompose(done -> coordinators.findLastTablet(deadlineNanos))
                      .thenCompose(next -> begin(next, operation, deadlineNanos))
                  : CompletableFuture.failedFuture(cause);
            });
  }

  private CompletableFuture<EnsureStatusTabletResponsePB> ensure(long id, long deadlineNanos) {
    return master.call(
        MasterPeerService.NAME,
        MasterPeerService.ENSURE_STATUS_TABLET,
        EnsureStatusTabletRequestPB.newBuilder().setTxnId(id).build(),
        EnsureStatusTabletResponsePB.parser(),
        EnsureStatusTabletResponsePB::getError,
        deadlineNanos);
  }
}
