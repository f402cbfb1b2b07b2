package dev.kudu4j.spark.write;

import java.io.Serializable;
import org.apache.spark.TaskContext;

/**
 * What the driver has to know of a successful attempt of a task.
 *
 * @param first whether it was the first attempt
 * @param ownKeys number of rows that were not inserted because the job's transaction had inserted
 *     their keys
 * @param example one of these rows; empty if there are none
 */
record TaskAttempt(boolean first, long ownKeys, String example) implements Serializable {
  /** Whether this thread runs the first attempt of a task, or no task. */
  static boolean isFirst() {
    TaskContext task = TaskContext.get();
    return task == null || (task.attemptNumber() == 0 && task.stageAttemptNumber() == 0);
  }
}
