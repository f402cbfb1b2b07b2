package dev.kudu4j.spark.write;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.spark.client.Connection;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/** Handles the results of the tasks on the driver. */
final class CommitTimestamps {
  private CommitTimestamps() {}

  /**
   * Makes the tasks' writes visible to later reads by the driver, independently of the servers'
   * clocks.
   */
  static void propagate(Connection connection, WriterCommitMessage[] messages) {
    KuduClient client = connection.client();
    for (WriterCommitMessage message : messages) {
      if (message instanceof WrittenMessage written
          && written.timestamp() != KuduClient.NO_TIMESTAMP) {
        client.updateLastPropagatedTimestamp(written.timestamp());
      }
    }
  }
}
