package dev.kudu4j.spark.write;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.spark.client.Connection;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/** What tasks have written, seen from the driver. */
final class Committed {
  private Committed() {}

  /** Lets the driver's later reads see what the tasks wrote, whatever the clocks of servers say. */
  static void see(Connection connection, WriterCommitMessage[] messages) {
    KuduClient client = connection.client();
    for (WriterCommitMessage message : messages) {
      if (message instanceof WrittenMessage written
          && written.timestamp() != KuduClient.NO_TIMESTAMP) {
        client.updateLastPropagatedTimestamp(written.timestamp());
      }
    }
  }
}
