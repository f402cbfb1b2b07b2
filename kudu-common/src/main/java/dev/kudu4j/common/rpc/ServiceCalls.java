package dev.kudu4j.common.rpc;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.rpc.execution.CallCost;
import dev.kudu4j.common.rpc.execution.CallExecution;
import dev.kudu4j.common.rpc.execution.CallTask;
import dev.kudu4j.common.rpc.execution.ExecutionLimits;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.thread.WouldBlock;
import io.netty.util.concurrent.EventExecutor;
import org.jspecify.annotations.Nullable;

/** The calls of one service: each is passed to the threads of the service, and run or rejected. */
final class ServiceCalls {
  /** A larger request is parsed on a thread of the pool, whatever its method costs. */
  private static final int MAX_SHORT_REQUEST_BYTES = 16 << 10;

  private final RpcService service;
  private final RpcMetrics metrics;
  private final CallExecution execution;

  ServiceCalls(
      String serverName, RpcService service, RpcServerOptions options, RpcMetrics metrics) {
    this.service = service;
    this.metrics = metrics;
    String shortName = service.name().substring(service.name().lastIndexOf('.') + 1);
    this.execution =
        options
            .threadModel()
            .open(
                serverName + "-" + shortName,
                new ExecutionLimits(
                    options.workerThreads(),
                    options.serviceQueueLength(),
                    options.serviceQueueBytes()));
  }

  RpcService service() {
    return service;
  }

  /** Runs, queues or rejects the call. Never blocks. */
  void admit(RpcCall call, RpcMethod<?> method) {
    metrics.callReceived(call.service(), call.method(), call.requestBytes());
    Handling handling = new Handling(call, method);
    call.handling(handling);
    call.reached(CallTimeline.Stage.ADMITTED);
    if (call.connection().isWritable()) {
      execution.execute(handling);
    } else {
      execution.handOver(handling); // the pool parks it
    }
  }

  /** Stops accepting calls. Queued calls are rejected; running handlers are not interrupted. */
  void shutdown() {
    execution.shutdown();
  }

  /** Waits for all handlers; returns whether they returned in time. */
  boolean awaitHandlers(long timeoutNanos) throws InterruptedException {
    return execution.awaitTasks(timeoutNanos);
  }

  /**
   * The handling of a call, from admission to the return of its handler. One thread at a time uses
   * it.
   */
  final class Handling implements CallTask {
    private final RpcCall call;
    private final RpcMethod<?> method;
    private @Nullable ByteString message; // taken from the call when the handler started
    private @Nullable Runnable rest; // what remains to do on a thread that may block
    private boolean movesOn;

    Handling(RpcCall call, RpcMethod<?> method) {
      this.call = call;
      this.method = method;
    }

    @Override
    public CallCost cost() {
      return call.requestBytes() > MAX_SHORT_REQUEST_BYTES && method.cost() == CallCost.SHORT
          ? CallCost.LONG
          : method.cost();
    }

    @Override
    public int bytes() {
      return call.requestBytes();
    }

    @Override
    public EventExecutor loop() {
      return call.connection().eventLoop();
    }

    @Override
    public void run() {
      if (!call.isConnectionClosed() && !call.isExpired() && !call.connection().isWritable()) {
        call.workerReleased(); // first, because the call may be queued again immediately
        call.connection().park(this::queueAgain);
        return;
      }
      movesOn = false;
      try {
        serveIfWanted();
      } finally {
        if (movesOn) {
          execution.handOver(this);
        } else {
          message = null;
          call.workerReleased();
        }
      }
    }

    private void queueAgain() {
      call.workerAssigned();
      execution.handOver(this);
    }

    private void serveIfWanted() {
      if (call.isConnectionClosed()) {
        return;
      }
      if (call.isExpired()) {
        metrics.callExpired(call.service(), call.method());
        call.fail(
            RpcErrorCode.ERROR_SERVER_TOO_BUSY,
            StatusCode.TIMED_OUT.prefix() + ": call waited in the queue beyond its deadline");
      } else {
        serve();
      }
    }

    private void serve() {
      try {
        Runnable remaining = rest;
        if (remaining != null) {
          remaining.run();
        } else {
          method.serve(start(), call);
          call.reached(CallTimeline.Stage.RETURNED);
        }
      } catch (WouldBlock e) {
        moveOn(null); // the handler runs once more
      } catch (Throwable e) { // whatever the handler throws, the caller gets a response
        call.fail(e);
      }
    }

    private ByteString start() {
      ByteString bytes = message;
      if (bytes == null) {
        bytes = call.start();
        message = bytes;
      }
      return bytes;
    }

    /**
     * Passes the call to a thread that may block, once its handler has returned to {@link #run}.
     *
     * @param remaining what remains to do; null to run the handler once more
     */
    void moveOn(@Nullable Runnable remaining) {
      rest = remaining;
      movesOn = true;
    }

    @Override
    public void reject(Rejection reason) {
      String prefix = StatusCode.SERVICE_UNAVAILABLE.prefix() + ": ";
      if (reason == Rejection.SHUTTING_DOWN) {
        call.fail(RpcErrorCode.FATAL_SERVER_SHUTTING_DOWN, prefix + "the server is shutting down");
      } else {
        call.fail(
            RpcErrorCode.ERROR_SERVER_TOO_BUSY,
            prefix
                + String.format(
                    "%s of %s rejected: the queue of the service is full (%d calls, %d bytes);"
                        + " retry later",
                    call.method(),
                    call.service(),
                    execution.queuedCalls(),
                    execution.queuedBytes()));
      }
    }
  }
}
