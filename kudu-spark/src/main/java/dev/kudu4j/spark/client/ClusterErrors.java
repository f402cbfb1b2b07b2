package dev.kudu4j.spark.client;

import dev.kudu4j.client.KuduException;

/**
 * Converts errors of the client to exceptions that Spark's methods can throw, which declare no
 * checked exceptions. The message contains the operation and the cluster's error.
 */
public final class ClusterErrors {
  private ClusterErrors() {}

  static RuntimeException of(String what) {
    return new ClusterException(what, null);
  }

  public static RuntimeException of(String what, KuduException cause) {
    return new ClusterException(what + ": " + cause.getMessage(), cause);
  }

  /**
   * Like {@link #of(String, KuduException)} if {@code failure} wraps an error of the client. Any
   * other failure is returned unchanged.
   */
  public static RuntimeException unwrapped(String what, RuntimeException failure) {
    return failure.getCause() instanceof KuduException cause ? of(what, cause) : failure;
  }

  /** The cluster rejected a request or failed. */
  public static final class ClusterException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ClusterException(String message, KuduException cause) {
      super(message, cause);
    }
  }
}
