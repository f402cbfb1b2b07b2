package dev.kudu4j.common.rpc;

import dev.kudu4j.common.status.StatusCode;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One service: its bounded queue and its own threads, so a service with slow methods does not delay
 * other services. The queue is bounded in calls and in bytes. Idle threads end.
 */
final class ServicePool {
  private static final long IDLE_THREAD_SECONDS = 30;

  private final RpcService service;
  private final RpcServerOptions options;
  private final RpcMetrics metrics;
  private final ThreadPoolExecutor workers;
  private final AtomicLong queuedBytes = new AtomicLong();

  ServicePool(String serverName, RpcService service, RpcServerOptions options, RpcMetrics metrics) {
    this.service = service;
    this.options = options;
    this.metrics = metrics;
    String shortName = service.name().substring(service.name().lastIndexOf('.') + 1);
    this.workers =
        new ThreadPoolExecutor(
            options.workerThreads(),
            options.workerThreads(),
            IDLE_THREAD_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(options.serviceQueueLength()),
            new DefaultThreadFactory(serverName + "-" + shortName, true),
            (task, executor) -> ((QueuedCall) task).refuse(executor.isShutdown()));
    workers.allowCoreThreadTimeOut(true);
  }

  RpcService service() {
    return service;
  }

  /** Queues the call, or rejects it. Never blocks. */
  void admit(RpcCall call, RpcMethod<?> method) {
    metrics.callReceived(call.service(), call.method(), call.requestBytes());
    enqueue(new QueuedCall(call, method));
  }

  private void enqueue(QueuedCall queued) {
    int bytes = queued.call.requestBytes();
    long before = queuedBytes.getAndAdd(bytes);
    if (before > 0 && before + bytes > options.serviceQueueBytes()) {
      queued.refuse(false);
    } else {
      workers.execute(queued);
    }
  }

  /** Stops accepting calls. Queued calls are rejected; running handlers are not interrupted. */
  void shutdown() {
    workers.shutdown();
    List<Runnable> waiting = new ArrayList<>();
    workers.getQueue().drainTo(waiting);
    waiting.forEach(task -> ((QueuedCall) task).refuse(true));
  }

  /** Waits for all handlers; returns whether they returned in time. */
  boolean awaitHandlers(long timeoutNanos) throws InterruptedException {
    return workers.awaitTermination(timeoutNanos, TimeUnit.NANOSECONDS);
  }

  /** A call that waits for a worker thread. */
  private final class QueuedCall implements Runnable {
    private final RpcCall call;
    private final RpcMethod<?> method;

    QueuedCall(RpcCall call, RpcMethod<?> method) {
      this.call = call;
      this.method = method;
    }

    @Override
    public void run() {
      queuedBytes.addAndGet(-call.requestBytes());
      if (!call.isConnectionClosed() && !call.isExpired() && !call.connection().isWritable()) {
        call.leftByWorker(); // first, because the call may be queued again immediately
        call.connection().park(this::enqueueAgain);
        return;
      }
      try {
        serveIfWanted();
      } finally {
        call.leftByWorker();
      }
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

    private void enqueueAgain() {
      call.givenToWorker();
      enqueue(this);
    }

    private void serve() {
      try {
        method.serve(call.start(), call);
      } catch (Throwable e) { // whatever the handler throws, the caller gets a response
        call.fail(e);
      }
    }

    void refuse(boolean shuttingDown) {
      queuedBytes.addAndGet(-call.requestBytes());
      String prefix = StatusCode.SERVICE_UNAVAILABLE.prefix() + ": ";
      if (shuttingDown) {
        call.fail(RpcErrorCode.FATAL_SERVER_SHUTTING_DOWN, prefix + "the server is shutting down");
      } else {
        call.fail(
            RpcErrorCode.ERROR_SERVER_TOO_BUSY,
            prefix
                + String.format(
                    "%s of %s rejected: the queue of the service is full (%d calls, %d bytes);"
                        + " retry later",
                    call.method(), call.service(), workers.getQueue().size(), queuedBytes.get()));
      }
    }
  }
}
