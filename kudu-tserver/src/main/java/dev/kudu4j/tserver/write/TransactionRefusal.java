package dev.kudu4j.tserver.write;

import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.common.status.Failures;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.replica.write.LockedByTransactionException;
import dev.kudu4j.server.replica.write.WriteSubmission;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.log.RowFailure;
import dev.kudu4j.tserver.transaction.RefusedRegistrationException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;

/**
 * Rows of a transaction that does not take them. Each row gets an error, as if it alone had been
 * refused: clients take an error of the whole write with the status ILLEGAL_STATE or ABORTED for a
 * sign of another leader, and repeat the write until it times out.
 */
final class TransactionRefusal {
  private TransactionRefusal() {}

  /**
   * The result of a write that its transaction refused.
   *
   * @throws CompletionException with another failure
   */
  static RequestResult resultOf(Throwable failure, WriteSubmission rows, long timestamp) {
    Throwable cause = Failures.unwrap(failure);
    if (cause instanceof LockedByTransactionException
        || cause instanceof RefusedRegistrationException) {
      return new RequestResult(
          timestamp, ofAllRows(rows, (KuduException) cause), RequestResult.OutcomeCounts.NONE);
    }
    throw new CompletionException(cause);
  }

  private static List<RowFailure> ofAllRows(WriteSubmission rows, KuduException refusal) {
    List<RowFailure> failures = new ArrayList<>();
    RowOperationsReader reader = rows.rows().reader();
    while (reader.next()) {
      failures.add(
          new RowFailure(reader.rowIndex(), refusal.code(), String.valueOf(refusal.getMessage())));
    }
    return failures;
  }
}
