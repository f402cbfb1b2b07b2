package dev.kudu4j.server.raft;

import java.util.Locale;

/** The transport of Raft messages between servers; all servers must use the same transport. */
public enum RaftTransportKind {
  /** The transport of Ratis: a stream and a thread for each follower of each group. */
  GRPC,

  /** The transport of Kudu4j: two connections for each pair of servers, shared by all groups. */
  KUDU;

  /** The transport with this name, as in the flag's value. */
  public static RaftTransportKind of(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }
}
