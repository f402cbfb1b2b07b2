package dev.kudu4j.spark.client;

import dev.kudu4j.client.AsyncKuduClient.EncryptionPolicy;
import dev.kudu4j.client.KuduClient;
import java.io.Serializable;
import java.util.Locale;
import org.apache.spark.TaskContext;

/**
 * A cluster and its connection settings. Serialized to the tasks.
 *
 * @param masters addresses {@code host:port}, separated by commas
 * @param saslProtocolName the servers' service name in Kerberos
 * @param requireAuthentication whether servers must authenticate
 * @param encryptionPolicy name of an {@link EncryptionPolicy}
 * @param timeoutMillis timeout of one request with all its retries; 0 for the client's default
 */
public record Connection(
    String masters,
    String saslProtocolName,
    boolean requireAuthentication,
    String encryptionPolicy,
    long timeoutMillis)
    implements Serializable {

  /** The client of this JVM for the connection; it is shared and must not be closed. */
  public KuduClient client() {
    return SharedClients.get(this);
  }

  /**
   * Opens a client. On the driver, fails immediately if no masters accept connections at the
   * addresses.
   */
  KuduClient open() {
    if (TaskContext.get() == null) {
      FirstContact.check(masters);
    }
    KuduClient.KuduClientBuilder builder =
        new KuduClient.KuduClientBuilder(masters)
            .saslProtocolName(saslProtocolName)
            .requireAuthentication(requireAuthentication)
            .encryptionPolicy(EncryptionPolicy.valueOf(encryptionPolicy.toUpperCase(Locale.ROOT)));
    if (timeoutMillis > 0) {
      builder
          .defaultOperationTimeoutMs(timeoutMillis)
          .defaultAdminOperationTimeoutMs(timeoutMillis);
    }
    return builder.build();
  }
}
