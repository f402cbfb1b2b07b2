package dev.kudu4j.spark.write;

import java.util.List;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * The result of a task for the driver.
 *
 * @param timestamp hybrid time from which readers see the task's writes
 * @param oldKeys encoded old keys of the rows whose keys an update changed
 * @param newKeys encoded new keys of the rows whose keys an update changed
 * @param attempt the attempt that wrote the rows
 */
record WrittenMessage(
    long timestamp, List<byte[]> oldKeys, List<byte[]> newKeys, TaskAttempt attempt)
    implements WriterCommitMessage {

  static WrittenMessage at(long timestamp, TaskAttempt attempt) {
    return new WrittenMessage(timestamp, List.of(), List.of(), attempt);
  }
}
