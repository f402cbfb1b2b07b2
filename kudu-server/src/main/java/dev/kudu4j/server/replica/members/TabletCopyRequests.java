package dev.kudu4j.server.replica.members;

import java.util.concurrent.CompletableFuture;

/**
 * Asks the server of a joining member to copy the tablet from this server, which leads. The leader
 * asks again until the answer is {@link Progress#RUNS}.
 */
@FunctionalInterface
public interface TabletCopyRequests {
  /**
   * @param serverUuid the server that is to copy
   * @param rpcAddress host:port of its RPC port; null if unknown
   * @param term of the leader that asks; a server that knows of a later term refuses
   */
  record Request(String tabletId, String serverUuid, String rpcAddress, long term) {}

  /** The progress of the other server. */
  enum Progress {
    /** The copy is under way. */
    COPYING,
    /** The replica runs there, as a listener or because it never stopped. */
    RUNS
  }

  /**
   * @param raftAddress host:port of the other server's Raft port; empty if it did not say
   */
  record Answer(Progress progress, String raftAddress) {}

  /** Fails if the server cannot be reached or refuses; the caller asks again later. */
  CompletableFuture<Answer> ask(Request request);
}
