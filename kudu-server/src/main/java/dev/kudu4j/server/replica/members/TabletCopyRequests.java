package dev.kudu4j.server.replica.members;

import java.util.concurrent.CompletableFuture;

/**
 * Asks the server of a joining member to copy the tablet from this server, the leader. The leader
 * repeats the request until the answer is {@link Progress#RUNS}.
 */
@FunctionalInterface
public interface TabletCopyRequests {
  /**
   * @param serverUuid the server that makes the copy
   * @param rpcAddress host:port of its RPC port; null if unknown
   * @param term term of the requesting leader; a server that knows a later term refuses
   */
  record Request(String tabletId, String serverUuid, String rpcAddress, long term) {}

  /** The progress of the other server. */
  enum Progress {
    /** The copy is in progress. */
    COPYING,
    /** The replica runs, as a listener or because it never stopped. */
    RUNS
  }

  /**
   * @param raftAddress host:port of the other server's Raft port; empty if not reported
   */
  record Answer(Progress progress, String raftAddress) {}

  /** Fails if the server cannot be reached or refuses; the caller retries later. */
  CompletableFuture<Answer> ask(Request request);
}
