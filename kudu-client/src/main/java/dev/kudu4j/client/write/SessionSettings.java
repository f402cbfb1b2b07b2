package dev.kudu4j.client.write;

import dev.kudu4j.common.proto.common.ExternalConsistencyMode;
import java.util.concurrent.TimeUnit;

/**
 * How a session buffers and sends operations. The session's thread sets the fields; the client's
 * threads read them too.
 */
public final class SessionSettings {
  public static final int DEFAULT_OPERATIONS = 1_000;
  static final int DEFAULT_FLUSH_INTERVAL_MILLIS = 1_000;
  public static final int NO_LIMIT = -1;
  public static final long NO_TRANSACTION = -1;

  /** When operations are sent. */
  public enum FlushPolicy {
    /** Each operation separately, immediately. */
    SYNC,
    /**
     * Sends operations in batches, when enough operations are buffered or the flush interval has
     * passed.
     */
    BACKGROUND,
    /** Sends operations in batches, when the user flushes. */
    MANUAL
  }

  public volatile FlushPolicy policy = FlushPolicy.SYNC;
  public volatile ExternalConsistencyMode consistencyMode =
      ExternalConsistencyMode.CLIENT_PROPAGATED;
  public volatile int maxOperations = DEFAULT_OPERATIONS;
  public volatile long maxBytes = NO_LIMIT;
  public volatile int flushIntervalMillis = DEFAULT_FLUSH_INTERVAL_MILLIS;
  public volatile long timeoutMillis;
  public volatile boolean ignoreDuplicateRows;
  public volatile boolean ignoreNotFoundRows;

  private final long transaction;

  public SessionSettings() {
    this(NO_TRANSACTION);
  }

  /**
   * @param transaction the transaction that all rows belong to, or {@link #NO_TRANSACTION}
   */
  public SessionSettings(long transaction) {
    this.transaction = transaction;
  }

  long transaction() {
    return transaction;
  }

  /**
   * Operations of one batch share its deadline. It is later than an operation's own deadline by at
   * most this tolerance.
   */
  long toleranceNanos() {
    long timeout = timeoutMillis;
    return timeout <= 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(timeout) / 8;
  }
}
