package dev.kudu4j.server.replica.members;

import java.util.concurrent.CompletableFuture;

/**
 * Asks the server of a joining member to copy the tablet from the leader, which is this server. The
 * leader asks again until the answer is {@link Progress#RUNS}.
 */
@FunctionalInterface
public interface TabletCopyRequests {
  /**
   * @param serverUuid who is to copy
   * @param rpcAddress host:port where it was said to serve RPC; null when not known
   * @param term of the leader that asks: who knows of a later one refuses
   */
  record Request(String tabletId, String serverUuid, String rpcAddress, long term) {}

  /** How far the other server is. */
  enum Progress {
    /** It has begun, or is at it. */
    COPYING,
    /** The replica runs there, as a listener or because it never stopped. */
    RUNS
  }

  /**
   * @param raftAddress host:port of the other server's Raft port; empty when it did not say
   */
  record Answer(Progress progress, String raftAddress) {}

  /** Fails when the server cannot be reached or refuses; it is asked again later. */
  CompletableFuture<Answer> ask(Request request);
}
