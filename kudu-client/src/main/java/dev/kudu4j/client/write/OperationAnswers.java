package dev.kudu4j.client.write;

import dev.kudu4j.client.cluster.FailureStatus;
import dev.kudu4j.client.cluster.RemoteReplica;
import dev.kudu4j.client.write.SessionSettings.FlushPolicy;
import dev.kudu4j.common.proto.tserver.WriteResponsePB;
import dev.kudu4j.common.proto.tserver.WriteResponsePB.PerRowErrorPB;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.StatusWire;
import java.util.concurrent.CompletableFuture;

/**
 * Answers each operation of a session once: completes the operation's future, passes the response
 * to its flush group, and reports background failures to the listener.
 *
 * <p>Guarded by the lock of its {@link WriteBuffer}.
 */
final class OperationAnswers<R> {
  private final SessionSettings settings;
  private final WriteListener<R> listener;
  private final WriteMemoryGate gate;
  private final DeferringLock lock;
  private final FlushGroup<R> atOnce;

  /**
   * @param atOnce the group of operations that are sent without a flush
   */
  OperationAnswers(
      SessionSettings settings,
      WriteListener<R> listener,
      WriteMemoryGate gate,
      DeferringLock lock,
      FlushGroup<R> atOnce) {
    this.settings = settings;
    this.listener = listener;
    this.gate = gate;
    this.lock = lock;
    this.atOnce = atOnce;
  }

  /** Fails all operations of a batch that was not written. */
  void failAll(WriteBatch<R> batch, FailureStatus status) {
    for (int row = 0; row < batch.count(); row++) {
      PendingWrite<R> operation = batch.operation(row);
      if (operation.isUnderWay()) {
        answered(operation, status, batch.elapsedMillis(), null, 0);
      }
    }
  }

  /**
   * Answers all operations of a batch, which the server wrote except for the rows whose errors the
   * response contains.
   */
  void answerAll(WriteBatch<R> batch, WriteResponsePB response, RemoteReplica replica) {
    long elapsedMillis = batch.elapsedMillis();
    PerRowErrorPB[] failures = batch.failuresByRow(response);
    for (int row = 0; row < batch.count(); row++) {
      PendingWrite<R> operation = batch.operation(row);
      FailureStatus failure =
          failures == null || failures[row] == null ? null : rowFailure(failures[row]);
      answered(operation, failure, elapsedMillis, replica.serverId(), response.getTimestamp());
    }
  }

  /** The failure of a row; null if the user chose to ignore it. */
  private FailureStatus rowFailure(PerRowErrorPB pb) {
    var failure = StatusWire.fromWire(pb.getError());
    boolean ignored =
        (failure.code() == StatusCode.ALREADY_PRESENT && settings.ignoreDuplicateRows)
            || (failure.code() == StatusCode.NOT_FOUND && settings.ignoreNotFoundRows);
    return ignored ? null : new FailureStatus(failure.code(), failure.getMessage());
  }

  /** Fails an operation that reaches no tablet. */
  void refuse(PendingWrite<R> operation, FailureStatus status) {
    answered(operation, status, 0, null, 0);
  }

  /**
   * The failure of a batch. If the batch timed out and waited at least half of its timeout behind
   * other batches of the tablet, the message contains the last failure of those batches. Otherwise
   * the failure is stored in {@code writer}, for the messages of later batches.
   */
  FailureStatus statusOf(FailureStatus status, TabletWriter<R> writer, WriteBatch<R> batch) {
    long waited = batch.waitedMillis();
    if (!status.isTimedOut() || waited < settings.timeoutMillis / 2) {
      writer.setLastFailure(status);
      return status;
    }
    FailureStatus before = writer.lastFailure() == null ? status : writer.lastFailure();
    return new FailureStatus(
        StatusCode.TIMED_OUT,
        String.format(
            "The rows waited %d ms of their time-out, %d ms, behind earlier rows of their tablet:"
                + " %s",
            waited, settings.timeoutMillis, before.message()));
  }

  private void answered(
      PendingWrite<R> operation,
      FailureStatus failure,
      long elapsedMillis,
      String serverId,
      long timestamp) {
    FlushGroup<R> of = operation.group();
    CompletableFuture<R> waiting = operation.waiting();
    boolean kept = of != atOnce && of.keepsAnswers();
    boolean reported = failure != null && settings.policy == FlushPolicy.BACKGROUND;
    if (kept || reported || waiting != null) {
      R answer = operation.answer(elapsedMillis, serverId, timestamp, failure);
      if (reported) {
        listener.failedInBackground(answer);
      }
      if (waiting != null) {
        lock.defer(() -> waiting.complete(answer));
      }
      if (kept) {
        of.answered(operation.indexInGroup(), answer);
      }
    }
    if (of != atOnce && !kept) {
      of.answered(operation.indexInGroup(), null);
    }
    gate.end(operation);
    operation.end();
  }
}
