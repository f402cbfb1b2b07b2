package dev.kudu4j.server.transport;

import org.jspecify.annotations.Nullable;

/**
 * The reason why a connection is refused before its first request. Only the name of the constant is
 * sent, so neither end logs a string that the other end has chosen.
 */
enum Refusal {
  NOT_HERE("another server is at this address"),
  NEEDS_SECRET(
      "the other server requires the cluster secret, which this server does not have; start this"
          + " server with --cluster_secret_file"),
  HAS_NO_SECRET(
      "the other server has no cluster secret, but this server has one; start the other server"
          + " with --cluster_secret_file"),
  WRONG_SECRET("the two servers do not hold the same cluster secret"),
  WRONG_ADDRESS(
      "the other server knows this server under another address; with a cluster secret"
          + " (--cluster_secret_file) addresses are not checked");

  private final String forCaller;

  Refusal(String forCaller) {
    this.forCaller = forCaller;
  }

  /** Explanation for the log of the caller. */
  String forCaller() {
    return forCaller;
  }

  /** The refusal with this name, or null if there is none. */
  static @Nullable Refusal of(String name) {
    for (Refusal refusal : values()) {
      if (refusal.name().equals(name)) {
        return refusal;
      }
    }
    return null;
  }
}
