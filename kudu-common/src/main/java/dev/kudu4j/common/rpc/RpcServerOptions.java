package dev.kudu4j.common.rpc;

import dev.kudu4j.common.rpc.execution.ThreadModel;
import java.util.function.IntSupplier;

/**
 * Limits of a server. Start from {@link #defaults}.
 *
 * @param maxFrameBytes maximum size of a request frame and of a response
 * @param serviceQueueLength maximum number of queued calls of one service; further calls are
 *     rejected as "too busy"
 * @param serviceQueueBytes maximum size of the queued frames of one service; a single call is
 *     always admitted
 * @param workerThreads maximum number of threads of one service; idle threads end
 * @param negotiationTimeoutMillis maximum time from connecting to the end of negotiation
 * @param idleTimeoutMillis time without data after which a connection without calls in flight is
 *     closed; also the maximum time for which a client may read nothing of its responses
 * @param maxCallsPerConnection number of calls in flight above which the server stops reading from
 *     a connection
 * @param outboundHighWaterBytes size of unsent responses above which the server stops reading from
 *     a connection and does not start its queued calls
 * @param closeTimeoutMillis time that {@link RpcServer#close} waits for running handlers
 * @param threadModel the threads that run the calls
 * @param loopThreads number of event loops, unless the server borrows some
 * @param io how the event loops read and write sockets, unless the server borrows some
 * @param connections limits on the number of connections
 * @param negotiationDelayMillis delay before the negotiation of a connection, for tests; may change
 *     at any time
 * @param slowCallMillis a call whose time from arrival to response exceeds this is logged; may
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
    ThreadModel threadModel,
    int loopThreads,
    RpcIo io,
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
    checkPositive("loopThreads", loopThreads);
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
        ThreadModel.ADAPTIVE,
        EventLoops.defaultThreads(),
        RpcIo.best(),
        ConnectionLimits.of(0, 0, Runtime.getRuntime().maxMemory(), 1),
        () -> 0,
        () -> 1_000);
  }

  public RpcServerOptions withMaxFrameBytes(int bytes) {
    Copy copy = new Copy(this);
    copy.maxFrameBytes = bytes;
    return copy.toOptions();
  }

  public RpcServerOptions withServiceQueue(int length, long bytes) {
    Copy copy = new Copy(this);
    copy.serviceQueueLength = length;
    copy.serviceQueueBytes = bytes;
    return copy.toOptions();
  }

  public RpcServerOptions withWorkerThreads(int threads) {
    Copy copy = new Copy(this);
    copy.workerThreads = threads;
    return copy.toOptions();
  }

  public RpcServerOptions withThreads(ThreadModel model, int loops) {
    Copy copy = new Copy(this);
    copy.threadModel = model;
    copy.loopThreads = loops;
    return copy.toOptions();
  }

  public RpcServerOptions withIo(RpcIo value) {
    Copy copy = new Copy(this);
    copy.io = value;
    return copy.toOptions();
  }

  public RpcServerOptions withTimeouts(long negotiationMillis, long idleMillis, long closeMillis) {
    Copy copy = new Copy(this);
    copy.negotiationTimeoutMillis = negotiationMillis;
    copy.idleTimeoutMillis = idleMillis;
    copy.closeTimeoutMillis = closeMillis;
    return copy.toOptions();
  }

  public RpcServerOptions withConnectionLimits(int maxCalls, int outboundBytes) {
    Copy copy = new Copy(this);
    copy.maxCallsPerConnection = maxCalls;
    copy.outboundHighWaterBytes = outboundBytes;
    return copy.toOptions();
  }

  public RpcServerOptions withConnections(ConnectionLimits limits) {
    Copy copy = new Copy(this);
    copy.connections = limits;
    return copy.toOptions();
  }

  public RpcServerOptions withNegotiationDelay(IntSupplier millis) {
    Copy copy = new Copy(this);
    copy.negotiationDelayMillis = millis;
    return copy.toOptions();
  }

  public RpcServerOptions withSlowCalls(IntSupplier millis) {
    Copy copy = new Copy(this);
    copy.slowCallMillis = millis;
    return copy.toOptions();
  }

  /** The fields of options that differ from others in a few of them. */
  private static final class Copy {
    int maxFrameBytes;
    int serviceQueueLength;
    long serviceQueueBytes;
    int workerThreads;
    long negotiationTimeoutMillis;
    long idleTimeoutMillis;
    int maxCallsPerConnection;
    int outboundHighWaterBytes;
    long closeTimeoutMillis;
    ThreadModel threadModel;
    int loopThreads;
    RpcIo io;
    ConnectionLimits connections;
    IntSupplier negotiationDelayMillis;
    IntSupplier slowCallMillis;

    Copy(RpcServerOptions from) {
      maxFrameBytes = from.maxFrameBytes;
      serviceQueueLength = from.serviceQueueLength;
      serviceQueueBytes = from.serviceQueueBytes;
      workerThreads = from.workerThreads;
      negotiationTimeoutMillis = from.negotiationTimeoutMillis;
      idleTimeoutMillis = from.idleTimeoutMillis;
      maxCallsPerConnection = from.maxCallsPerConnection;
      outboundHighWaterBytes = from.outboundHighWaterBytes;
      closeTimeoutMillis = from.closeTimeoutMillis;
      threadModel = from.threadModel;
      loopThreads = from.loopThreads;
      io = from.io;
      connections = from.connections;
      negotiationDelayMillis = from.negotiationDelayMillis;
      slowCallMillis = from.slowCallMillis;
    }

    RpcServerOptions toOptions() {
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
          threadModel,
          loopThreads,
          io,
          connections,
          negotiationDelayMillis,
          slowCallMillis);
    }
  }
}
