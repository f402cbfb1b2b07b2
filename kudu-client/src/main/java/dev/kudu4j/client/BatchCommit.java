package dev.kudu4j.client;

import dev.kudu4j.client.SessionConfiguration.FlushMode;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Commits one batch of a {@link KuduProducer} in a transaction, and begins again with a new one
 * when another transaction holds a key or the servers have aborted it. The outcome of each is made
 * sure before the next begins, so the batch takes effect once.
 */
final class BatchCommit {
  private static final int FIRST_PAUSE_MILLIS = 2;
  private static final int LONGEST_PAUSE_MILLIS = 200;

  /** Longest time between two searches of the servers for silent transactions, and some more. */
  private static final int SEARCH_MILLIS = 15_000;

  private static final int BUFFERED_ROWS = 10_000;
  private static final long BUFFERED_BYTES = 16 << 20;

  /** Rows that belong to the batch, but cannot be sent before the earlier batch is committed. */
  interface LastRows {
    List<Operation> rows();

    /** Explains the error of one of these rows. */
    KuduException explain(Status error);
  }

  /** Learns how far the commit is. */
  interface Progress {
    Progress IGNORED =
        new Progress() {
          @Override
          public void rowsAccepted() {}

          @Override
          public void begunAgain() {}
        };

    /** The servers have accepted all rows; mostly called once. */
    void rowsAccepted();

    /** The rows will be sent again. */
    void begunAgain();
  }

  private final KuduClient client;
  private final List<Operation> rows;
  private final @Nullable LastRows last;
  private final long startNanos = System.nanoTime();
  private long patienceMillis;

  BatchCommit(KuduClient client, List<Operation> rows, @Nullable LastRows last) {
    this.client = client;
    this.rows = rows;
    this.last = last;
    this.patienceMillis = client.getDefaultAdminOperationTimeoutMs();
  }

  /** Another transaction holds a key, or has ended this one. */
  private static final class ConflictException extends NonRecoverableException {
    private static final long serialVersionUID = 1L;

    ConflictException(Status status) {
      super(status);
    }
  }

  /**
   * Commits.
   *
   * @param staged a transaction with the rows, or null
   * @throws KuduException if the batch is not committed, or if its outcome is unknown
   */
  void run(@Nullable KuduTransaction staged, Progress progress) throws KuduException {
    KuduTransaction transaction = staged;
    for (int pause = FIRST_PAUSE_MILLIS; ; pause = Math.min(LONGEST_PAUSE_MILLIS, 2 * pause)) {
      try {
        if (transaction == null) {
          transaction = stage();
        }
        if (last != null) {
          sendLast(transaction, last);
        }
        progress.rowsAccepted();
        if (isCommitted(transaction)) {
          return;
        }
        throw new ConflictException(Status.Aborted("The servers aborted its transaction"));
      } catch (ConflictException e) {
        if (isLate()) {
          throw new NonRecoverableException(
              Status.TimedOut("The batch is not committed: " + e.getMessage()), e);
        }
      } finally {
        discard(transaction);
      }
      transaction = null;
      progress.begunAgain();
      pause(pause);
    }
  }

  /**
   * A new transaction with the rows.
   *
   * @throws KuduException if one of them was refused; the transaction is aborted then
   */
  KuduTransaction stage() throws KuduException {
    KuduTransaction transaction = client.newTransaction();
    // A transaction whose program died holds its keys until the servers notice.
    patienceMillis = Math.max(patienceMillis, transaction.keepaliveMillis() + SEARCH_MILLIS);
    boolean accepted = false;
    try {
      throwFirst(send(transaction, rows));
      accepted = true;
      return transaction;
    } finally {
      if (!accepted) {
        discard(transaction);
      }
    }
  }

  private boolean isLate() {
    return System.nanoTime() - startNanos > TimeUnit.MILLISECONDS.toNanos(patienceMillis);
  }

  private static void sendLast(KuduTransaction transaction, LastRows last) throws KuduException {
    RowError[] errors = send(transaction, last.rows());
    if (errors.length > 0) {
      Status status = errors[0].getErrorStatus();
      if (!isOfTransaction(status) && (status.isAlreadyPresent() || status.isNotFound())) {
        throw last.explain(status);
      }
    }
    throwFirst(errors);
  }

  private static void throwFirst(RowError[] errors) throws KuduException {
    if (errors.length > 0) {
      Status status = errors[0].getErrorStatus();
      throw isOfTransaction(status)
          ? new ConflictException(status)
          : new NonRecoverableException(status);
    }
  }

  /** Whether a row was refused because of its transaction, which another one may not meet. */
  private static boolean isOfTransaction(Status status) {
    return status.isAborted()
        || status.isIllegalState()
        || (status.isNotFound() && status.getMessage().contains("transaction ID"));
  }

  private static RowError[] send(KuduTransaction transaction, List<Operation> rows)
      throws KuduException {
    KuduSession session = transaction.newKuduSession();
    try {
      session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
      session.setMutationBufferSpace(BUFFERED_ROWS, BUFFERED_BYTES);
      for (Operation each : rows) {
        session.apply(each);
      }
    } finally {
      session.close();
    }
    return session.getPendingErrors().getRowErrors();
  }

  /**
   * Commits, and asks until the outcome is known.
   *
   * @return false if the transaction was aborted
   * @throws KuduException if the outcome is not known in time
   */
  private boolean isCommitted(KuduTransaction transaction) throws KuduException {
    try {
      for (int pause = FIRST_PAUSE_MILLIS; ; pause = Math.min(LONGEST_PAUSE_MILLIS, 2 * pause)) {
        try {
          transaction.commitOrAwait();
          return true;
        } catch (KuduException e) {
          if (isAborted(transaction)) {
            return false;
          }
          if (isLate()) {
            throw e;
          }
        }
        pause(pause);
      }
    } catch (KuduException e) {
      throw new NonRecoverableException(
          Status.TimedOut(
              "It is not known whether the batch is committed (transaction "
                  + transaction.id()
                  + "): "
                  + e.getMessage()),
          e);
    }
  }

  /** Whether the servers say so; a failed commit alone may have many reasons. */
  private static boolean isAborted(KuduTransaction transaction) {
    try {
      return switch (transaction.state()) {
        case ABORT_IN_PROGRESS, ABORTED -> true;
        default -> false;
      };
    } catch (KuduException e) {
      // Unknown to the servers: lost before its first row, unless a commit was acknowledged.
      return e.getStatus().isInvalidArgument() && transaction.isOpen();
    }
  }

  /**
   * Closes a transaction, and aborts it if it was not committed; if that fails, it is aborted as a
   * silent one.
   */
  static void discard(@Nullable KuduTransaction transaction) {
    if (transaction == null) {
      return;
    }
    try (transaction) {
      if (transaction.isOpen()) {
        transaction.rollback();
      }
    } catch (KuduException e) {
      AsyncKuduSession.LOG.debug("A transaction could not be rolled back", e);
    }
  }

  private void pause(int millis) throws KuduException {
    try {
      client.asyncClient().cluster().after(millis).get();
    } catch (InterruptedException | ExecutionException e) {
      throw KuduException.of(e);
    }
  }
}
