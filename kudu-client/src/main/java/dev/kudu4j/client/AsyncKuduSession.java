package dev.kudu4j.client;

import dev.kudu4j.client.Statistics.Statistic;
import dev.kudu4j.client.write.SessionSettings;
import dev.kudu4j.client.write.SessionSettings.FlushPolicy;
import dev.kudu4j.client.write.WriteBuffer;
import dev.kudu4j.client.write.WriteListener;
import dev.kudu4j.common.proto.tserver.ResourceMetricsPB;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link KuduSession} whose methods return futures. They complete on the client's own threads:
 * use the {@code Async} methods of the future if the continuation may block.
 *
 * <p>Operations on one row are written in the order in which they are applied. Not thread-safe: one
 * thread applies, flushes and closes.
 */
public final class AsyncKuduSession implements SessionConfiguration {
  public static final Logger LOG = LoggerFactory.getLogger(AsyncKuduSession.class);

  private final SessionSettings settings;
  private final ErrorCollector errors = new ErrorCollector(SessionSettings.DEFAULT_OPERATIONS);
  private final ResourceMetrics metrics = new ResourceMetrics();
  private final AsyncKuduClient client;
  private final WriteBuffer<OperationResponse> buffer;
  private volatile boolean closed;

  /**
   * @param transaction id of the transaction of the rows, or {@link SessionSettings#NO_TRANSACTION}
   */
  AsyncKuduSession(AsyncKuduClient client, long timeoutMillis, long transaction) {
    this.client = client;
    this.settings = new SessionSettings(transaction);
    this.settings.timeoutMillis = timeoutMillis;
    this.buffer =
        new WriteBuffer<>(client.cluster(), client.writeMemory(), settings, new Listener());
  }

  /**
   * Applies an operation. The flush mode determines when it is sent. The row of the operation
   * cannot be changed afterwards.
   *
   * @return completes with the response to the operation, which contains the row error, if any
   * @throws PleaseThrottleException if the buffers are full; the operation is then not accepted. In
   *     AUTO_FLUSH_BACKGROUND a session holds at most two buffers, in MANUAL_FLUSH at most two
   *     flushes are in flight. All operations that a client's sessions hold take at most a quarter
   *     of the heap
   * @throws KuduException when the buffer is full in MANUAL_FLUSH
   */
  public CompletableFuture<OperationResponse> apply(Operation operation) throws KuduException {
    check(operation);
    CompletableFuture<OperationResponse> answer = new CompletableFuture<>();
    CompletableFuture<Void> room;
    try {
      room = buffer.offer(operation.pending(), answer);
    } catch (dev.kudu4j.common.status.KuduException e) {
      throw KuduException.of(e);
    }
    if (room != null) {
      throw new PleaseThrottleException(
          Status.ServiceUnavailable("All buffers are currently flushing"), operation, room);
    }
    return answer;
  }

  /**
   * Like {@link #apply}, but waits for buffer space.
   *
   * @param answer completed with the response; may be null
   */
  void applyWaiting(Operation operation, CompletableFuture<OperationResponse> answer)
      throws KuduException {
    check(operation);
    try {
      buffer.put(operation.pending(), answer);
    } catch (InterruptedException | dev.kudu4j.common.status.KuduException e) {
      throw KuduException.of(e);
    }
  }

  private void check(Operation operation) {
    if (operation == null) {
      throw new NullPointerException("Cannot apply a null operation");
    }
    if (operation.getTable().getAsyncClient() != client) {
      throw new IllegalArgumentException(
          "Applied operations must be created from a KuduTable instance opened from the same client"
              + " that opened this KuduSession");
    }
    if (closed) {
      LOG.warn("Applying an operation in a closed session; this is unsafe");
    }
  }

  /**
   * Sends the buffered operations.
   *
   * @return completes with the responses to the operations applied since the previous flush, in
   *     order. In AUTO_FLUSH_BACKGROUND, the previous flush may be an automatic one. Completes
   *     after all operations applied earlier are answered.
   */
  public CompletableFuture<List<OperationResponse>> flush() {
    return buffer.flush();
  }

  /**
   * Sends the buffered operations, waits for all responses and closes the session. Returns the same
   * responses as {@link #flush}.
   */
  public CompletableFuture<List<OperationResponse>> close() {
    if (closed) {
      return CompletableFuture.completedFuture(List.of());
    }
    closed = true;
    return flush()
        .thenCombine(buffer.whenIdle(), (responses, idle) -> responses)
        .whenComplete((responses, failure) -> client.sessionClosed(this));
  }

  int pendingOperations() {
    return buffer.pendingOperations();
  }

  long pendingBytes() {
    return buffer.pendingBytes();
  }

  boolean isEventLoop() {
    return client.cluster().isEventLoop();
  }

  @Override
  public FlushMode getFlushMode() {
    return switch (settings.policy) {
      case SYNC -> FlushMode.AUTO_FLUSH_SYNC;
      case BACKGROUND -> FlushMode.AUTO_FLUSH_BACKGROUND;
      case MANUAL -> FlushMode.MANUAL_FLUSH;
    };
  }

  @Override
  public void setFlushMode(FlushMode flushMode) {
    checkNothingPending("Cannot change flush mode when writes are buffered");
    settings.policy =
        switch (flushMode) {
          case AUTO_FLUSH_SYNC -> FlushPolicy.SYNC;
          case AUTO_FLUSH_BACKGROUND -> FlushPolicy.BACKGROUND;
          case MANUAL_FLUSH -> FlushPolicy.MANUAL;
        };
  }

  @Override
  public void setExternalConsistencyMode(ExternalConsistencyMode consistencyMode) {
    checkNothingPending("Cannot change consistency mode when writes are buffered");
    settings.consistencyMode = consistencyMode.pbVersion();
  }

  @Override
  public void setMutationBufferSpace(int numOps, long maxSize) {
    checkNothingPending("Cannot change the buffer size when operations are buffered");
    if (numOps <= 0) {
      throw new IllegalArgumentException(
          "The mutation buffer needs room for at least one operation, not " + numOps);
    }
    settings.maxOperations = numOps;
    settings.maxBytes = Math.max(SessionSettings.NO_LIMIT, maxSize);
  }

  private void checkNothingPending(String otherwise) {
    if (buffer.hasPending()) {
      throw new IllegalArgumentException(otherwise + "; flush first");
    }
  }

  @Deprecated
  @Override
  public void setMutationBufferLowWatermark(float mutationBufferLowWatermarkPercentage) {
    LOG.warn("setMutationBufferLowWatermark has no effect");
  }

  @Override
  public void setErrorCollectorSpace(int size) {
    errors.resize(size);
  }

  @Override
  public void setFlushInterval(int intervalMillis) {
    settings.flushIntervalMillis = intervalMillis;
  }

  @Override
  public void setTimeoutMillis(long timeout) {
    settings.timeoutMillis = timeout;
  }

  @Override
  public long getTimeoutMillis() {
    return settings.timeoutMillis;
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public boolean hasPendingOperations() {
    return buffer.hasPending();
  }

  @Override
  public boolean isIgnoreAllDuplicateRows() {
    return settings.ignoreDuplicateRows;
  }

  @Override
  public void setIgnoreAllDuplicateRows(boolean ignoreAllDuplicateRows) {
    settings.ignoreDuplicateRows = ignoreAllDuplicateRows;
  }

  @Override
  public boolean isIgnoreAllNotFoundRows() {
    return settings.ignoreNotFoundRows;
  }

  @Override
  public void setIgnoreAllNotFoundRows(boolean ignoreAllNotFoundRows) {
    settings.ignoreNotFoundRows = ignoreAllNotFoundRows;
  }

  @Override
  public int countPendingErrors() {
    return errors.countErrors();
  }

  @Override
  public RowErrorsAndOverflowStatus getPendingErrors() {
    return errors.getErrors();
  }

  @Override
  public ResourceMetrics getWriteOpMetrics() {
    return metrics;
  }

  private final class Listener implements WriteListener<OperationResponse> {
    @Override
    public void addMetrics(ResourceMetricsPB reported) {
      metrics.add(reported);
    }

    @Override
    public void failedInBackground(OperationResponse answer) {
      errors.addError(answer.getRowError());
    }

    @Override
    public void batchWritten(
        String tableName, String tabletId, int rows, int failedRows, long bytes) {
      if (client.isStatisticsEnabled()) {
        Statistics statistics = client.getStatistics();
        statistics.count(tableName, tabletId, Statistic.WRITE_RPCS, 1);
        statistics.count(tableName, tabletId, Statistic.WRITE_OPS, rows - failedRows);
        statistics.count(tableName, tabletId, Statistic.OPS_ERRORS, failedRows);
        statistics.count(tableName, tabletId, Statistic.BYTES_WRITTEN, bytes);
      }
    }

    @Override
    public void callFailed(String tableName, String tabletId) {
      if (client.isStatisticsEnabled()) {
        client.getStatistics().count(tableName, tabletId, Statistic.RPC_ERRORS, 1);
      }
    }
  }
}
