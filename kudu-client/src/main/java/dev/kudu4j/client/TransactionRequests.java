package dev.kudu4j.client;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.client.cluster.Cluster;
import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.MasterCall;
import dev.kudu4j.common.proto.master.MasterErrorPB;
import dev.kudu4j.common.proto.transactions.AbortTransactionRequestPB;
import dev.kudu4j.common.proto.transactions.AbortTransactionResponsePB;
import dev.kudu4j.common.proto.transactions.BeginTransactionRequestPB;
import dev.kudu4j.common.proto.transactions.BeginTransactionResponsePB;
import dev.kudu4j.common.proto.transactions.CommitTransactionRequestPB;
import dev.kudu4j.common.proto.transactions.CommitTransactionResponsePB;
import dev.kudu4j.common.proto.transactions.GetTransactionStateRequestPB;
import dev.kudu4j.common.proto.transactions.GetTransactionStateResponsePB;
import dev.kudu4j.common.proto.transactions.KeepTransactionAliveRequestPB;
import dev.kudu4j.common.proto.transactions.KeepTransactionAliveResponsePB;
import dev.kudu4j.common.proto.transactions.TxnManagerErrorPB;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Requests to the master about transactions. Futures fail as those of {@link Cluster#callMaster}
 * do.
 */
final class TransactionRequests {
  private static final MasterCall<BeginTransactionResponsePB> BEGIN =
      call(
          "BeginTransaction",
          BeginTransactionResponsePB.parser(),
          BeginTransactionResponsePB::getError);
  private static final MasterCall<CommitTransactionResponsePB> COMMIT =
      call(
          "CommitTransaction",
          CommitTransactionResponsePB.parser(),
          CommitTransactionResponsePB::getError);
  private static final MasterCall<AbortTransactionResponsePB> ABORT =
      call(
          "AbortTransaction",
          AbortTransactionResponsePB.parser(),
          AbortTransactionResponsePB::getError);
  private static final MasterCall<GetTransactionStateResponsePB> STATE =
      call(
          "GetTransactionState",
          GetTransactionStateResponsePB.parser(),
          GetTransactionStateResponsePB::getError);
  private static final MasterCall<KeepTransactionAliveResponsePB> KEEP_ALIVE =
      call(
          "KeepTransactionAlive",
          KeepTransactionAliveResponsePB.parser(),
          KeepTransactionAliveResponsePB::getError);

  private final Cluster cluster;

  TransactionRequests(Cluster cluster) {
    this.cluster = cluster;
  }

  private static <R extends Message> MasterCall<R> call(
      String method, Parser<R> parser, Function<R, TxnManagerErrorPB> error) {
    return MasterCall.of(
        "kudu.transactions.TxnManagerService",
        method,
        parser,
        response -> masterError(error.apply(response)));
  }

  private static MasterErrorPB masterError(TxnManagerErrorPB error) {
    return error.hasCode()
        ? MasterErrorPB.newBuilder()
            .setCode(MasterErrorPB.Code.UNKNOWN_ERROR)
            .setStatus(error.getStatus())
            .build()
        : MasterErrorPB.getDefaultInstance();
  }

  CompletableFuture<BeginTransactionResponsePB> begin(Deadline deadline) {
    return cluster.callMaster(BEGIN, BeginTransactionRequestPB.getDefaultInstance(), deadline);
  }

  /**
   * Begins to commit.
   *
   * @param waitMillis how long servers of Kudu4j may wait for the end before they answer
   */
  CompletableFuture<CommitTransactionResponsePB> commit(
      long id, int waitMillis, Deadline deadline) {
    return cluster.callMaster(
        COMMIT,
        CommitTransactionRequestPB.newBuilder().setTxnId(id).setWaitMillis(waitMillis).build(),
        deadline);
  }

  CompletableFuture<?> abort(long id, Deadline deadline) {
    return cluster.callMaster(
        ABORT, AbortTransactionRequestPB.newBuilder().setTxnId(id).build(), deadline);
  }

  CompletableFuture<GetTransactionStateResponsePB> state(long id, Deadline deadline) {
    return cluster.callMaster(
        STATE, GetTransactionStateRequestPB.newBuilder().setTxnId(id).build(), deadline);
  }

  CompletableFuture<?> keepAlive(long id, Deadline deadline) {
    return cluster.callMaster(
        KEEP_ALIVE, KeepTransactionAliveRequestPB.newBuilder().setTxnId(id).build(), deadline);
  }
}
