package dev.kudu4j.spark.client;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clients of this JVM, one per connection. A client per task would look up every tablet again
 * and open its own connections. Clients are therefore kept until the JVM of the driver or executor
 * ends.
 *
 * <p>Apart from these clients and the keep-alive thread, tasks of an executor share no mutable
 * state.
 */
public final class SharedClients {
  private static final Logger LOG = LoggerFactory.getLogger(SharedClients.class);
  private static final Map<Connection, KuduClient> CLIENTS = new ConcurrentHashMap<>();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(SharedClients::closeAll, "kudu-clients"));
  }

  private SharedClients() {}

  static KuduClient get(Connection connection) {
    return CLIENTS.computeIfAbsent(connection, Connection::open);
  }

  /** Closes all clients; the next use opens new ones. For the end of the JVM, and of a test. */
  public static void closeAll() {
    for (Connection connection : List.copyOf(CLIENTS.keySet())) {
      KuduClient client = CLIENTS.remove(connection);
      if (client != null) {
        close(client, connection);
      }
    }
  }

  private static void close(KuduClient client, Connection connection) {
    try {
      client.close();
    } catch (KuduException | RuntimeException e) {
      LOG.warn("The client of {} could not be closed", connection.masters(), e);
    }
  }
}
