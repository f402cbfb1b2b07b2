package dev.kudu4j.client;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Writes rows. Groups operations by tablet and sends them in batches, as configured by the {@link
 * SessionConfiguration.FlushMode}.
 *
 * <pre>{@code
 * KuduSession session = client.newSession();
 * session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
 * Insert insert = table.newInsert();
 * insert.getRow().addInt("id", 7);
 * session.apply(insert);
 * session.close();
 * if (session.countPendingErrors() > 0) { ... }
 * }</pre>
 *
 * <p>Operations on one row are written in the order in which they are applied, those on different
 * rows in any order. A session is not a transaction; those of a {@link KuduTransaction} write in
 * one. Not thread-safe: open one session per thread; sessions are cheap and share the client's
 * connections.
 */
public final class KuduSession implements SessionConfiguration {
  private final AsyncKuduSession session;

  KuduSession(AsyncKuduSession session) {
    this.session = session;
  }

  /**
   * Applies an operation. In AUTO_FLUSH_SYNC sends it and waits for the response. In
   * AUTO_FLUSH_BACKGROUND waits while the buffers are full.
   *
   * @return the response in AUTO_FLUSH_SYNC, which may contain a row error; otherwise null
   * @throws KuduException if the buffer is full in MANUAL_FLUSH, a partitioning column is not set,
   *     or the operation belongs to another client; in each case the operation is not accepted
   */
  public OperationResponse apply(Operation operation) throws KuduException {
    try {
      if (session.getFlushMode() == FlushMode.AUTO_FLUSH_SYNC) {
        CompletableFuture<OperationResponse> answer = new CompletableFuture<>();
        session.applyWaiting(operation, answer);
        return join(answer);
      }
      session.applyWaiting(operation, null);
      return null;
    } catch (IllegalArgumentException | NullPointerException e) {
      throw new NonRecoverableException(Status.InvalidArgument(e.getMessage()), e);
    } catch (IllegalStateException e) {
      throw new NonRecoverableException(Status.IllegalState(e.getMessage()), e);
    }
  }

  /**
   * Sends the buffered operations and waits until everything sent so far is answered.
   *
   * @return the responses to the operations applied since the previous flush, in order; in
   *     AUTO_FLUSH_BACKGROUND, the previous flush may be an automatic one
   */
  public List<OperationResponse> flush() throws KuduException {
    return join(session.flush());
  }

  /** Flushes and closes the session. Returns the same responses as {@link #flush}. */
  public List<OperationResponse> close() throws KuduException {
    return join(session.close());
  }

  private <T> T join(CompletableFuture<T> future) throws KuduException {
    if (!future.isDone() && session.isEventLoop()) {
      throw new IllegalStateException(
          "A client thread must not wait for a response, because it receives the responses; use"
              + " AsyncKuduSession or another thread");
    }
    try {
      return future.get();
    } catch (InterruptedException | ExecutionException e) {
      throw KuduException.of(e);
    }
  }

  @Override
  public FlushMode getFlushMode() {
    return session.getFlushMode();
  }

  @Override
  public void setFlushMode(FlushMode flushMode) {
    session.setFlushMode(flushMode);
  }

  @Override
  public void setMutationBufferSpace(int numOps, long maxSize) {
    session.setMutationBufferSpace(numOps, maxSize);
  }

  @Override
  public void setErrorCollectorSpace(int size) {
    session.setErrorCollectorSpace(size);
  }

  @Deprecated
  @Override
  public void setMutationBufferLowWatermark(float mutationBufferLowWatermarkPercentage) {
    session.setMutationBufferLowWatermark(mutationBufferLowWatermarkPercentage);
  }

  @Override
  public void setFlushInterval(int intervalMillis) {
    session.setFlushInterval(intervalMillis);
  }

  @Override
  public long getTimeoutMillis() {
    return session.getTimeoutMillis();
  }

  @Override
  public void setTimeoutMillis(long timeout) {
    session.setTimeoutMillis(timeout);
  }

  @Override
  public boolean isClosed() {
    return session.isClosed();
  }

  @Override
  public boolean hasPendingOperations() {
    return session.hasPendingOperations();
  }

  @Override
  public void setExternalConsistencyMode(ExternalConsistencyMode consistencyMode) {
    session.setExternalConsistencyMode(consistencyMode);
  }

  @Override
  public boolean isIgnoreAllDuplicateRows() {
    return session.isIgnoreAllDuplicateRows();
  }

  @Override
  public void setIgnoreAllDuplicateRows(boolean ignoreAllDuplicateRows) {
    session.setIgnoreAllDuplicateRows(ignoreAllDuplicateRows);
  }

  @Override
  public boolean isIgnoreAllNotFoundRows() {
    return session.isIgnoreAllNotFoundRows();
  }

  @Override
  public void setIgnoreAllNotFoundRows(boolean ignoreAllNotFoundRows) {
    session.setIgnoreAllNotFoundRows(ignoreAllNotFoundRows);
  }

  @Override
  public int countPendingErrors() {
    return session.countPendingErrors();
  }

  @Override
  public RowErrorsAndOverflowStatus getPendingErrors() {
    return session.getPendingErrors();
  }

  @Override
  public ResourceMetrics getWriteOpMetrics() {
    return session.getWriteOpMetrics();
  }
}
