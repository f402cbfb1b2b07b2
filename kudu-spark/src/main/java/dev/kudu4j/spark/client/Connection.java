package dev.kudu4j.spark.client;

import dev.kudu4j.client.AsyncKuduClient.EncryptionPolicy;
import dev.kudu4j.client.KuduClient;
import java.io.Serializable;
import java.util.Locale;
import org.apache.spark.TaskContext;

/**
 * Which cluster, and how to connect to it. Travels from the driver to the tasks.
 *
 * @param masters addresses {@code host:port}, separated by commas
 * @param saslProtocolName of the servers; for Kerberos
 * @param requireAuthentication whether servers must prove who they are
 * @param encryptionPolicy name of a {@link EncryptionPolicy}
 * @param timeoutMillis for one request, with all its retries; 0 for the client's default
 */
public record Connection(
    String masters,
    String saslProtocolName,
    boolean requireAuthentication,
    String encryptionPolicy,
    long timeoutMillis)
    implements Serializable {

  /** The client of this JVM for the connection; shared, not to be closed. */
  public KuduClient client() {
    return SharedClients.get(this);
  }

  /** On the driver, fails at once when there are no masters at the addresses. */
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
