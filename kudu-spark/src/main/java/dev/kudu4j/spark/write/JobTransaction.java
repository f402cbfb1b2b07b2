package dev.kudu4j.spark.write;

import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTransaction;
import dev.kudu4j.common.rpc.RpcErrorCode;
import dev.kudu4j.common.rpc.RpcException;
import dev.kudu4j.spark.KuduOptions;
import dev.kudu4j.spark.client.ClusterErrors;
import java.io.IOException;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transaction of a job with {@link KuduOptions#ATOMIC}, on the driver. All attempts of all
 * tasks write in it; the driver commits it when every task has succeeded, and rolls it back
 * otherwise. While it is open, the client sends signs of life. If the driver dies, the servers
 * abort it.
 *
 * <p>Rows of failed attempts are part of the transaction. They do no harm, since attempts of a task
 * have the same rows: see {@link OwnRows} for operations that cannot be repeated.
 */
final class JobTransaction {
  private static final Logger LOG = LoggerFactory.getLogger(JobTransaction.class);

  private final KuduTransaction transaction;
  private final byte[] token;
  private final String table;
  private final boolean speculation;

  private JobTransaction(
      KuduTransaction transaction, byte[] token, String table, boolean speculation) {
    this.transaction = transaction;
    this.token = token;
    this.table = table;
    this.speculation = speculation;
  }

  /**
   * Begins a transaction.
   *
   * @throws RuntimeException if the cluster has no transactions, or cannot begin one
   */
  static JobTransaction begin(WriteTarget target) {
    try {
      KuduTransaction transaction = target.connection().client().newTransaction();
      return new JobTransaction(
          transaction,
          transaction.serialize(),
          target.sparkName(),
          SparkEnv.get().conf().getBoolean("spark.speculation", false));
    } catch (KuduException e) {
      throw ClusterErrors.of(
          hasNoTransactions(e)
              ? "The masters do not support transactions, which "
                  + KuduOptions.ATOMIC
                  + " needs; start all masters with --txn_manager_enabled"
              : "No transaction can begin for a write to table " + target.sparkName(),
          e);
    } catch (IOException e) {
      throw target.failure(e);
    }
  }

  private static boolean hasNoTransactions(KuduException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof RpcException refused
          && refused.errorCode() == RpcErrorCode.ERROR_NO_SUCH_SERVICE) {
        return true;
      }
    }
    return failure.getStatus().isNotSupported();
  }

  /** With it, tasks write in the transaction. */
  byte[] token() {
    return token;
  }

  /**
   * Makes the rows of all tasks visible.
   *
   * @throws RuntimeException if rows of the job have the same key, or the commit fails
   */
  void commit(WriterCommitMessage[] messages) {
    int repeated = 0;
    for (WriterCommitMessage message : messages) {
      if (message instanceof WrittenMessage written) {
        check(written.attempt());
        repeated += written.attempt().first() ? 0 : 1;
      }
    }
    if (repeated > 0) {
      LOG.warn(
          "{} tasks of an atomic write to table {} were attempted again. The rows of all their"
              + " attempts are committed; they are the rows of the query if it is deterministic",
          repeated,
          table);
    }
    commit();
  }

  /**
   * Rejects keys that the job has inserted twice. If the task may have been attempted more than
   * once, another attempt of it is assumed to have inserted them.
   */
  private void check(TaskAttempt attempt) {
    if (attempt.first() && attempt.ownKeys() > 0 && !speculation) {
      throw new IllegalStateException(
          (attempt.ownKeys() == 1 ? "1 row was" : attempt.ownKeys() + " rows were")
              + " not inserted into table "
              + table
              + ", because other rows of the same job have their keys; nothing is written. Use"
              + " upsert or insert_ignore if keys may occur twice. The first row: "
              + attempt.example());
    }
  }

  private void commit() {
    try {
      transaction.commit();
    } catch (KuduException e) {
      throw ClusterErrors.of(
          "The transaction of a write to table "
              + table
              + (e.getStatus().isAborted() || e.getStatus().isIllegalState()
                  ? " was aborted, nothing is written"
                  : " could not be committed; read the table before the job runs again, because"
                      + " the commit may still succeed"),
          e);
    }
  }

  /** Drops the rows of all tasks. If that fails, the servers abort the transaction later. */
  void rollback() {
    try {
      transaction.rollback();
    } catch (KuduException | IllegalStateException e) {
      LOG.warn("The transaction of a write to table {} could not be rolled back", table, e);
    } finally {
      transaction.close();
    }
  }
}
