package dev.kudu4j.spark.write;

import java.util.List;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * The result of a task for the driver.
 *
 * @param timestamp hybrid time from which readers see the task's writes
 * @param leftKeys encoded old keys of the rows whose keys an update changed
 * @param takenKeys encoded new keys of the rows whose keys an update changed
 */
record WrittenMessage(long timestamp, List<byte[]> leftKeys, List<byte[]> takenKeys)
    implements WriterCommitMessage {

  static WrittenMessage at(long timestamp) {
    return new WrittenMessage(timestamp, List.of(), List.of());
  }
}
