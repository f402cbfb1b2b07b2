package dev.kudu4j.common.rpc;

import java.util.function.IntSupplier;

/**
 * Limits of a server. Start from {@link #defaults} and change what has to differ.
 *
 * @param maxFrameBytes longest frame accepted, and longest response sent
 * @param serviceQueueLength calls of one service that may wait for a worker; more are refused as
 *     "too busy"
 * @param serviceQueueBytes frame bytes of one service that may wait for a worker; one call is
 *     always let in
 * @param workerThreads most threads of one service's pool; idle threads go away
 * @param negotiationTimeoutMillis time from connecting to the first call being possible
 * @param idleTimeoutMillis silence after which a connection without calls in flight is closed, and
 *     time for which a client may take nothing of what it is sent
 * @param maxCallsPerConnection calls in flight above which nothing more is read from a connection
 * @param outboundHighWaterBytes unsent responses above which nothing more is read from a connection
 *     and its waiting calls are not started
 * @param closeTimeoutMillis how long {@link RpcServer#close} waits for handlers that run
 * @param connections how many there may be
 * @param negotiationDelayMillis how long a connection waits before its negotiation begins: for
 *     tests; may change at any time
 * @param slowCallMillis a call that takes longer, from its arrival to its answer, is logged; may
 *     change at any time
 */
public record RpcServerOptions(
    int maxFrameBytes,
    int serviceQueueLength,
    long serviceQueueBytes,
    int workerThreads,
    long negotiationTimeoutMillis,
    long idleTimeoutMillis,
    int maxCallsPerConnection,
    int outboundHighWaterBytes,
    long closeTimeoutMillis,
    ConnectionLimits connections,
    IntSupplier negotiationDelayMillis,
    IntSupplier slowCallMillis) {

  public RpcServerOptions {
    checkPositive("maxFrameBytes", maxFrameBytes);
    checkPositive("serviceQueueLength", serviceQueueLength);
    checkPositive("serviceQueueBytes", serviceQueueBytes);
    checkPositive("workerThreads", workerThreads);
    checkPositive("negotiationTimeoutMillis", negotiationTimeoutMillis);
    checkPositive("idleTimeoutMillis", idleTimeoutMillis);
    checkPositive("maxCallsPerConnection", maxCallsPerConnection);
    checkPositive("outboundHighWaterBytes", outboundHighWaterBytes);
    checkPositive("closeTimeoutMillis", closeTimeoutMillis);
  }

  private static void checkPositive(String name, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " must be positive: " + value);
    }
  }

  public static RpcServerOptions defaults() {
    int workers = Math.max(8, 2 * Runtime.getRuntime().availableProcessors());
    return new RpcServerOptions(
        50 << 20,
        50,
        256L << 20,
        workers,
        3_000,
        65_000,
        4096,
        8 << 20,
        5_000,
        ConnectionLimits.of(0, 0, Runtime.getRuntime().maxMemory(), 1),
        () -> 0,
        () -> 1_000);
  }

  public RpcServerOptions withMaxFrameBytes(int bytes) {
    return new RpcServerOptions(
        bytes,
        serviceQueueLength,
        serviceQueueBytes,
        workerThreads,
        negotiationTimeoutMillis,
        idleTimeoutMillis,
        maxCallsPerConnection,
        outboundHighWaterBytes,
        closeTimeoutMillis,
        connections,
        negotiationDelayMillis,
        slowCallMillis);
  }

  public RpcServerOptions withServiceQueue(int length, long bytes) {
    return new RpcServerOptions(
        maxFrameBytes,
        length,
        bytes,
        workerThreads,
        negotiationTimeoutMillis,
        idleTimeoutMillis,
        maxCallsPerConnection,
        outboundHighWaterBytes,
        closeTimeoutMillis,
        connections,
        negotiationDelayMillis,
        slowCallMillis);
  }

  public RpcServerOptions withWorkerThreads(int threads) {
    return new RpcServerOptions(
        maxFrameBytes,
        serviceQueueLength,
        serviceQueueBytes,
        threads,
        negotiationTimeoutMillis,
        idleTimeoutMillis,
        maxCallsPerConnection,
        outboundHighWaterBytes,
        closeTimeoutMillis,
        connections,
        negotiationDelayMillis,
        slowCallMillis);
  }

  public RpcServerOptions withTimeouts(long negotiationMillis, long idleMillis, long closeMillis) {
    return new RpcServerOptions(
        maxFrameBytes,
        serviceQueueLength,
        serviceQueueBytes,
        workerThreads,
        negotiationMillis,
        idleMillis,
        maxCallsPerConnection,
        outboundHighWaterBytes,
        closeMillis,
        connections,
        negotiationDelayMillis,
        slowCallMillis);
  }

  public RpcServerOptions withConnectionLimits(int maxCalls, int outboundBytes) {
    return new RpcServerOptions(
        maxFrameBytes,
        serviceQueueLength,
        serviceQueueBytes,
        workerThreads,
        negotiationTimeoutMillis,
        idleTimeoutMillis,
        maxCalls,
        outboundBytes,
        closeTimeoutMillis,
        connections,
        negotiationDelayMillis,
        slowCallMillis);
  }

  public RpcServerOptions withConnections(ConnectionLimits limits) {
    return new RpcServerOptions(
        maxFrameBytes,
        serviceQueueLength,
        serviceQueueBytes,
        workerThreads,
        negotiationTimeoutMillis,
        idleTimeoutMillis,
        maxCallsPerConnection,
        outboundHighWaterBytes,
        closeTimeoutMillis,
        limits,
        negotiationDelayMillis,
        slowCallMillis);
  }

  public RpcServerOptions withNegotiationDelay(IntSupplier millis) {
    return new RpcServerOptions(
        maxFrameBytes,
        serviceQueueLength,
        serviceQueueBytes,
        workerThreads,
        negotiationTimeoutMillis,
        idleTimeoutMillis,
        maxCallsPerConnection,
        outboundHighWaterBytes,
        closeTimeoutMillis,
        connections,
        millis,
        slowCallMillis);
  }

  public RpcServerOptions withSlowCalls(IntSupplier millis) {
    return new RpcServerOptions(
        maxFrameBytes,
        serviceQueueLength,
        serviceQueueBytes,
        workerThreads,
        negotiationTimeoutMillis,
        idleTimeoutMillis,
        maxCallsPerConnection,
        outboundHighWaterBytes,
        closeTimeoutMillis,
        connections,
        negotiationDelayMillis,
        millis);
  }
}
