package dev.kudu4j.mapreduce;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.Credentials;

/** Passes the submitter's credentials for the cluster to the tasks, in the job's credentials. */
final class JobCredentials {
  private static final Text ALIAS = new Text("kudu.authentication.credentials");

  private JobCredentials() {}

  static void exportFrom(KuduClient client, Credentials credentials) throws KuduException {
    credentials.addSecretKey(ALIAS, client.exportAuthenticationCredentials());
  }

  /** Does nothing if the job has no such credentials. */
  static void importInto(KuduClient client, Credentials credentials) {
    byte[] exported = credentials.getSecretKey(ALIAS);
    if (exported != null) {
      client.importAuthenticationCredentials(exported);
    }
  }
}
