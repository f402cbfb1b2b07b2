package dev.kudu4j.server.raft;

import java.util.Locale;

/** What carries Raft's messages between servers; the same on all of them. */
public enum RaftTransportKind {
  /** Ratis' own: a stream and a thread for each follower of each group. */
  GRPC,

  /** Ours: two connections for each pair of servers, shared by all groups. */
  KUDU;

  /** As the flag says it. */
  public static RaftTransportKind of(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }
}
