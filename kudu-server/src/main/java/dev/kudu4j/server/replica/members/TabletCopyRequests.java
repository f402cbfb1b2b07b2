package dev.kudu4j.server.replica.members;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Asks the server of a joining member to copy the tablet from this server, the leader. The leader
 * repeats the request until the response is {@link Progress#RUNS}.
 */
@FunctionalInterface
public interface TabletCopyRequests {
  /**
   * @param serverUuid the server that makes the copy
   * @param rpcAddress host:port of its RPC port; null if unknown
   * @param term term of the requesting leader; a server that is in a later term rejects the request
   */
  record Request(String tabletId, String serverUuid, @Nullable String rpcAddress, long term) {}

  /** The progress of the server that makes the copy. */
  enum Progress {
    /** The copy is in progress. */
    COPYING,
    /** The replica runs: it has been copied and is a listener, or it ran before the request. */
    RUNS
  }

  /**
   * @param raftAddress host:port of the Raft port of the server that makes the copy; empty if not
   *     reported
   */
  record Answer(Progress progress, String raftAddress) {}

  /**
   * Sends a request. Fails if the server cannot be reached or refuses; the caller retries later.
   */
  CompletableFuture<Answer> ask(Request request);
}
