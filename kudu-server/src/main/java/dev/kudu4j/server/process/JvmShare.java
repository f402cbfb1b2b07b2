package dev.kudu4j.server.process;

import dev.kudu4j.common.rpc.EventLoops;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcClientOptions;
import java.util.Optional;

/**
 * What one server has of its JVM: all of it in a daemon, a share where several servers live
 * together.
 *
 * @param heapBytes what the server may count on; its memory budget is made from it
 * @param loops event loops borrowed from whoever runs the servers, who closes them after the last
 *     one; empty for its own
 * @param log of the process
 */
public record JvmShare(long heapBytes, Optional<EventLoops> loops, RecentLog log) {
  /** All of the JVM, for the one server in it. */
  public static JvmShare whole() {
    return whole(RecentLog.NONE);
  }

  /** All of the JVM and its log, for the one server in it. */
  public static JvmShare whole(RecentLog log) {
    return new JvmShare(Runtime.getRuntime().maxMemory(), Optional.empty(), log);
  }

  /** Whether no other server lives in the process. */
  public boolean isWhole() {
    return loops.isEmpty();
  }

  /** Which part of the process is the server's. */
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
