package dev.kudu4j.spark.write;

import java.util.List;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * What a task tells the driver when it is done.
 *
 * @param timestamp hybrid time after which a reader sees what it wrote
 * @param leftKeys encoded keys that its rows had before an update gave them others
 * @param takenKeys encoded keys that those rows have now
 */
record WrittenMessage(long timestamp, List<byte[]> leftKeys, List<byte[]> takenKeys)
    implements WriterCommitMessage {

  static WrittenMessage at(long timestamp) {
    return new WrittenMessage(timestamp, List.of(), List.of());
  }
}
