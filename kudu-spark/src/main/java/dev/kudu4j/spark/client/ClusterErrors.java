package dev.kudu4j.spark.client;

import dev.kudu4j.client.KuduException;

/**
 * What the client reports, as Spark can throw it: its methods declare no checked exceptions. The
 * message says what was wanted and what the cluster said.
 */
public final class ClusterErrors {
  private ClusterErrors() {}

  static RuntimeException of(String what) {
    return new ClusterException(what, null);
  }

  public static RuntimeException of(String what, KuduException cause) {
    return new ClusterException(what + ": " + cause.getMessage(), cause);
  }

  /** The same, of a failure that may have come wrapped. */
  public static RuntimeException unwrapped(String what, RuntimeException failure) {
    return failure.getCause() instanceof KuduException cause ? of(what, cause) : failure;
  }

  /** The cluster refused or failed. */
  public static final class ClusterException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ClusterException(String message, KuduException cause) {
      super(message, cause);
    }
  }
}
