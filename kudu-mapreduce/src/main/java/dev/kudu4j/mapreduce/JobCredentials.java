package dev.kudu4j.mapreduce;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.Credentials;

/** How the submitter's identity at the cluster travels to the tasks: among the job's secrets. */
final class JobCredentials {
  private static final Text ALIAS = new Text("kudu.authentication.credentials");

  private JobCredentials() {}

  static void exportFrom(KuduClient client, Credentials credentials) throws KuduException {
    credentials.addSecretKey(ALIAS, client.exportAuthenticationCredentials());
  }

  /** Does nothing when the job carries none. */
  static void importInto(KuduClient client, Credentials credentials) {
    byte[] exported = credentials.getSecretKey(ALIAS);
    if (exported != null) {
      client.importAuthenticationCredentials(exported);
    }
  }
}
