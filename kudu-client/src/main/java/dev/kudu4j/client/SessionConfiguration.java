package dev.kudu4j.client;

/** How a session buffers and sends operations. */
public interface SessionConfiguration {

  /** When operations are sent. */
  enum FlushMode {
    /** Each operation at once; {@code apply} returns when its answer is there. */
    AUTO_FLUSH_SYNC,
    /**
     * In batches, in the background, when enough operations have gathered or the flush interval is
     * over; {@code apply} returns at once, or waits for room. Errors are collected: see {@link
     * #getPendingErrors}.
     */
    AUTO_FLUSH_BACKGROUND,
    /** When {@code flush} is called; a full buffer is an error. */
    MANUAL_FLUSH
  }

  FlushMode getFlushMode();

  /**
   * @throws IllegalArgumentException while operations are buffered
   */
  void setFlushMode(FlushMode flushMode);

  /** As {@link #setMutationBufferSpace(int, long)} without a limit of bytes. */
  default void setMutationBufferSpace(int numOps) {
    setMutationBufferSpace(numOps, -1);
  }

  /**
   * How much may gather before it must be sent. In the background as much again may be on its way.
   *
   * @param numOps operations
   * @param maxSize bytes of rows; negative for no limit
   * @throws IllegalArgumentException while operations are buffered
   */
  void setMutationBufferSpace(int numOps, long maxSize);

  /** Has no effect any more; kept so that old programs compile. */
  @Deprecated
  void setMutationBufferLowWatermark(float mutationBufferLowWatermarkPercentage);

  /** How long an operation waits at most for others in AUTO_FLUSH_BACKGROUND; 1000 by default. */
  void setFlushInterval(int intervalMillis);

  long getTimeoutMillis();

  /**
   * How long operations are tried, since they were applied in AUTO_FLUSH_SYNC, or flushed; 0 means
   * for ever. Those that travel together share the deadline of the last, so that some have up to an
   * eighth more.
   */
  void setTimeoutMillis(long timeout);

  boolean isClosed();

  /** Whether operations are buffered or on their way. */
  boolean hasPendingOperations();

  /**
   * @throws IllegalArgumentException while operations are buffered
   */
  void setExternalConsistencyMode(ExternalConsistencyMode consistencyMode);

  boolean isIgnoreAllDuplicateRows();

  /** Whether inserts of rows that are there already count as done. */
  void setIgnoreAllDuplicateRows(boolean ignoreAllDuplicateRows);

  boolean isIgnoreAllNotFoundRows();

  /** Whether updates and deletes of rows that are missing count as done. */
  void setIgnoreAllNotFoundRows(boolean ignoreAllNotFoundRows);

  /** How many errors are collected; beyond that, the oldest are dropped. */
  void setErrorCollectorSpace(int size);

  /** How many errors {@link #getPendingErrors} would return. */
  int countPendingErrors();

  /** The errors of AUTO_FLUSH_BACKGROUND since the last call. */
  RowErrorsAndOverflowStatus getPendingErrors();

  /** What servers counted while they wrote for this session. */
  ResourceMetrics getWriteOpMetrics();
}
