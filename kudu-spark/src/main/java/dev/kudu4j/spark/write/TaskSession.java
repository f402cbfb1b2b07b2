package dev.kudu4j.spark.write;

import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.RowErrorsAndOverflowStatus;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import java.io.IOException;
import org.apache.spark.TaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one task writes with: a session that sends in the background, and fails soon after the first
 * row that the cluster refuses, not at the end of the task.
 *
 * <p>Belongs to the task's thread.
 */
final class TaskSession {
  private static final Logger LOG = LoggerFactory.getLogger(TaskSession.class);

  private static final int BUFFERED_ROWS = 10_000;
  private static final long BUFFERED_BYTES = 16L << 20;

  /** Operations between two looks at the errors; a power of two. */
  private static final int LOOK_EVERY = 256;

  private final WriteTarget target;
  private final boolean mayBeRepeated;
  private final KuduTable table;
  private final KuduSession session;
  private long count;

  /**
   * @param mayBeRepeated whether a task that is run again does no harm
   */
  TaskSession(WriteTarget target, KuduTable table, boolean mayBeRepeated) {
    this.target = target;
    this.table = table;
    this.mayBeRepeated = mayBeRepeated;
    this.session = target.connection().client().newSession();
    session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
    session.setMutationBufferSpace(BUFFERED_ROWS, BUFFERED_BYTES);
  }

  KuduTable table() {
    return table;
  }

  /** Inserts of keys that are there already count as done. */
  void ignoreDuplicates() {
    session.setIgnoreAllDuplicateRows(true);
  }

  /** Updates and deletes of keys that are not there count as done. */
  void ignoreMissing() {
    session.setIgnoreAllNotFoundRows(true);
  }

  void apply(Operation operation) throws IOException {
    session.apply(operation);
    if ((++count & (LOOK_EVERY - 1)) == 0) {
      failIfRefused();
    }
  }

  /** How many operations were applied. */
  long count() {
    return count;
  }

  /**
   * Waits until all is written.
   *
   * @return the hybrid time after which a reader sees it
   */
  long finish() throws IOException {
    session.close();
    failIfRefused();
    return target.connection().client().getLastPropagatedTimestamp();
  }

  private void failIfRefused() throws RowsRefusedException {
    if (session.countPendingErrors() == 0) {
      return;
    }
    RowErrorsAndOverflowStatus errors = session.getPendingErrors();
    throw RowsRefusedException.of(
        target.sparkName(), errors.getRowErrors(), errors.isOverflowed(), hint());
  }

  private String hint() {
    TaskContext task = TaskContext.get();
    return mayBeRepeated || task == null || isFirstAttempt(task)
        ? ""
        : "This task was run before, and some of these rows may be those that it wrote then; use"
            + " upsert, insert_ignore or delete_ignore where tasks may be run again";
  }

  private static boolean isFirstAttempt(TaskContext task) {
    return task.attemptNumber() == 0 && task.stageAttemptNumber() == 0;
  }

  /** Ends the session of a task that failed. What it wrote stays written. */
  void abandon() {
    try {
      session.close();
    } catch (KuduException | RuntimeException e) {
      LOG.debug("The rest of a failed task's rows could not be written", e);
    }
  }
}
