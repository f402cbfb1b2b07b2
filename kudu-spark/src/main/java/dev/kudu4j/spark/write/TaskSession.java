package dev.kudu4j.spark.write;

import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.RowError;
import dev.kudu4j.client.RowErrorsAndOverflowStatus;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The session of one task. It writes in the background, and fails soon after the first rejected
 * row, not at the end of the task.
 *
 * <p>Only the task's thread may use the session.
 */
final class TaskSession {
  private static final Logger LOG = LoggerFactory.getLogger(TaskSession.class);

  private static final int BUFFERED_ROWS = 10_000;
  private static final long BUFFERED_BYTES = 16L << 20;

  /** At least the operations that can fail between two checks: two buffers, and a few more. */
  private static final int KEPT_ERRORS = 3 * BUFFERED_ROWS;

  /** Number of operations between two checks for errors; a power of two. */
  private static final int LOOK_EVERY = 256;

  private final WriteTarget target;
  private final boolean mayBeRepeated;
  private final KuduTable table;
  private final KuduSession session;
  private final OwnRows ownRows; // null if all rejected rows are errors
  private long count;

  /**
   * @param mayBeRepeated whether a retry of the task is harmless
   */
  TaskSession(WriteTarget target, KuduTable table, boolean mayBeRepeated) throws IOException {
    this.target = target;
    this.table = table;
    this.mayBeRepeated = mayBeRepeated;
    this.session = target.newSession();
    session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
    session.setMutationBufferSpace(BUFFERED_ROWS, BUFFERED_BYTES);
    if (target.isInTransaction() && !mayBeRepeated) {
      session.setErrorCollectorSpace(KEPT_ERRORS);
      this.ownRows = new OwnRows(target.connection().client(), table);
    } else {
      this.ownRows = null;
    }
  }

  KuduTable table() {
    return table;
  }

  /** Lets inserts of existing keys succeed. */
  void ignoreDuplicates() {
    session.setIgnoreAllDuplicateRows(true);
  }

  /** Lets updates and deletes of missing keys succeed. */
  void ignoreMissing() {
    session.setIgnoreAllNotFoundRows(true);
  }

  void apply(Operation operation) throws IOException {
    session.apply(operation);
    if ((++count & (LOOK_EVERY - 1)) == 0) {
      failIfRefused();
    }
  }

  /** The number of operations so far. */
  long count() {
    return count;
  }

  /**
   * Waits until all rows are written.
   *
   * @return the hybrid time from which readers see them
   */
  long finish() throws IOException {
    session.close();
    failIfRefused();
    return target.connection().client().getLastPropagatedTimestamp();
  }

  /** For the driver, after {@link #finish}. */
  TaskAttempt attempt() {
    return ownRows == null
        ? new TaskAttempt(TaskAttempt.isFirst(), 0, "")
        : new TaskAttempt(TaskAttempt.isFirst(), ownRows.insertedKeys(), ownRows.example());
  }

  private void failIfRefused() throws IOException {
    if (session.countPendingErrors() == 0) {
      return;
    }
    RowErrorsAndOverflowStatus pending = session.getPendingErrors();
    RowError[] errors = pending.getRowErrors();
    if (ownRows != null && !pending.isOverflowed()) {
      errors = ownRows.unexplained(errors);
      if (errors.length == 0) {
        return;
      }
    }
    throw RowsRefusedException.of(target.sparkName(), errors, pending.isOverflowed(), hint());
  }

  private String hint() {
    return mayBeRepeated || target.isInTransaction() || TaskAttempt.isFirst()
        ? ""
        : "This task is a retry, and the first attempt may have written some of these"
            + " rows; use upsert, insert_ignore or delete_ignore if tasks may be retried";
  }

  /**
   * Ends the session of a failed task. The rows that it wrote remain, unless its transaction is
   * rolled back.
   */
  void abandon() {
    try {
      session.close();
    } catch (KuduException | RuntimeException e) {
      LOG.debug("The remaining rows of a failed task could not be written", e);
    }
  }
}
