package dev.kudu4j.client;

import dev.kudu4j.client.SessionConfiguration.FlushMode;

/** What the user has set for a session. Read by the threads that bring answers, too. */
final class SessionSettings {
  static final int DEFAULT_OPERATIONS = 1_000;
  static final int DEFAULT_FLUSH_INTERVAL_MILLIS = 1_000;
  static final int NO_LIMIT = -1;

  volatile FlushMode mode = FlushMode.AUTO_FLUSH_SYNC;
  volatile ExternalConsistencyMode consistencyMode = ExternalConsistencyMode.CLIENT_PROPAGATED;
  volatile int maxOperations = DEFAULT_OPERATIONS;
  volatile long maxBytes = NO_LIMIT;
  volatile int flushIntervalMillis = DEFAULT_FLUSH_INTERVAL_MILLIS;
  volatile long timeoutMillis;
  volatile boolean ignoreDuplicateRows;
  volatile boolean ignoreNotFoundRows;
}
