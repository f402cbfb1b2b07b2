package dev.kudu4j.client;

import dev.kudu4j.common.proto.common.ExternalConsistencyMode;

/**
 * How a session buffers and sends. The session's thread sets the fields; the threads that bring
 * answers read them too.
 */
final class SessionSettings {
  static final int DEFAULT_OPERATIONS = 1_000;
  static final int DEFAULT_FLUSH_INTERVAL_MILLIS = 1_000;
  static final int NO_LIMIT = -1;

  /** When operations are sent. */
  enum FlushPolicy {
    /** Each operation by itself, at once. */
    SYNC,
    /** In batches, when enough have gathered or the flush interval is over. */
    BACKGROUND,
    /** In batches, when the user flushes. */
    MANUAL
  }

  volatile FlushPolicy policy = FlushPolicy.SYNC;
  volatile ExternalConsistencyMode consistencyMode = ExternalConsistencyMode.CLIENT_PROPAGATED;
  volatile int maxOperations = DEFAULT_OPERATIONS;
  volatile long maxBytes = NO_LIMIT;
  volatile int flushIntervalMillis = DEFAULT_FLUSH_INTERVAL_MILLIS;
  volatile long timeoutMillis;
  volatile boolean ignoreDuplicateRows;
  volatile boolean ignoreNotFoundRows;
}
