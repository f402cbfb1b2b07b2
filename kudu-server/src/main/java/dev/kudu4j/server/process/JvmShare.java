package dev.kudu4j.server.process;

import dev.kudu4j.common.rpc.EventLoops;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcClientOptions;
import java.util.Optional;

/**
 * The share of its JVM that one server has: the whole JVM in a daemon, and a part of the JVM if
 * several servers run in it.
 *
 * @param heapBytes the heap available to the server; its memory budget derives from it
 * @param loops event loops that the servers of the JVM share; empty if the server creates its own.
 *     The owner of shared event loops closes them after the last server
 * @param log the recent log lines of the process
 */
public record JvmShare(long heapBytes, Optional<EventLoops> loops, RecentLog log) {
  /** The whole JVM, for its only server. */
  public static JvmShare whole() {
    return whole(RecentLog.NONE);
  }

  /** The whole JVM and its log, for its only server. */
  public static JvmShare whole(RecentLog log) {
    return new JvmShare(Runtime.getRuntime().maxMemory(), Optional.empty(), log);
  }

  /** Whether the process runs no other server. */
  public boolean isWhole() {
    return loops.isEmpty();
  }

  /** The server's fraction of the process. */
  public double ofProcess() {
    return Math.min(1, (double) heapBytes / Runtime.getRuntime().maxMemory());
  }

  /** A client for calls of this server. */
  public RpcClient newClient(RpcClientOptions options) {
    return loops
        .map(shared -> new RpcClient(options, shared))
        .orElseGet(() -> new RpcClient(options));
  }
}
