package dev.kudu4j.client;

/** How a session buffers and sends operations. */
public interface SessionConfiguration {

  /** When operations are sent. */
  enum FlushMode {
    /** Sends each operation immediately; {@code apply} waits for the response. */
    AUTO_FLUSH_SYNC,
    /**
     * Sends batches in the background, when enough operations are buffered or the flush interval
     * has passed; {@code apply} returns immediately, or waits for buffer space. Errors are
     * collected: see {@link #getPendingErrors}.
     */
    AUTO_FLUSH_BACKGROUND,
    /** Sends operations when {@code flush} is called; a full buffer is an error. */
    MANUAL_FLUSH
  }

  FlushMode getFlushMode();

  /**
   * @throws IllegalArgumentException while operations are buffered
   */
  void setFlushMode(FlushMode flushMode);

  /** Like {@link #setMutationBufferSpace(int, long)} without a limit of bytes. */
  default void setMutationBufferSpace(int numOps) {
    setMutationBufferSpace(numOps, -1);
  }

  /**
   * Sets the size of the buffer. In AUTO_FLUSH_BACKGROUND a second buffer of this size may be in
   * flight.
   *
   * @param numOps number of operations
   * @param maxSize bytes of rows; negative for no limit
   * @throws IllegalArgumentException while operations are buffered
   */
  void setMutationBufferSpace(int numOps, long maxSize);

  /** Has no effect; kept so that old programs compile. */
  @Deprecated
  void setMutationBufferLowWatermark(float mutationBufferLowWatermarkPercentage);

  /**
   * Sets how long an operation may stay buffered in AUTO_FLUSH_BACKGROUND, in milliseconds; default
   * 1000.
   */
  void setFlushInterval(int intervalMillis);

  long getTimeoutMillis();

  /**
   * Sets the timeout of operations, which starts when they are applied in AUTO_FLUSH_SYNC,
   * otherwise when they are flushed; 0 means no timeout. The operations of one batch share the
   * latest of their deadlines, so some operations have up to an eighth more time than the timeout.
   */
  void setTimeoutMillis(long timeout);

  boolean isClosed();

  /** Whether operations are buffered or in flight. */
  boolean hasPendingOperations();

  /**
   * @throws IllegalArgumentException while operations are buffered
   */
  void setExternalConsistencyMode(ExternalConsistencyMode consistencyMode);

  boolean isIgnoreAllDuplicateRows();

  /** Whether inserts of existing rows count as successful. */
  void setIgnoreAllDuplicateRows(boolean ignoreAllDuplicateRows);

  boolean isIgnoreAllNotFoundRows();

  /** Whether updates and deletes of missing rows count as successful. */
  void setIgnoreAllNotFoundRows(boolean ignoreAllNotFoundRows);

  /** Sets how many errors are collected; if there are more, the oldest are dropped. */
  void setErrorCollectorSpace(int size);

  /** How many errors {@link #getPendingErrors} would return. */
  int countPendingErrors();

  /** The errors of AUTO_FLUSH_BACKGROUND since the last call. */
  RowErrorsAndOverflowStatus getPendingErrors();

  /** The metrics that servers reported for the writes of this session. */
  ResourceMetrics getWriteOpMetrics();
}
