package dev.kudu4j.server.replica;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.log.FedRows;
import dev.kudu4j.tablet.log.FeedMark;
import dev.kudu4j.tablet.log.LogEntry;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.log.RequestId;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.transaction.OpenTransaction;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The replicated state: a pure function of the applied log, which can be made durable at a
 * position. {@link #of} wraps a tablet.
 */
public interface ReplicaState extends AutoCloseable {
  /** The state on disk contains the log up to and including this position. */
  LogPosition checkpoint();

  /** Highest timestamp applied, or 0. */
  long maxTimestamp();

  /** How much of its feed a derived tablet has; null for any other state. Called by any thread. */
  default @Nullable FeedMark feedMark() {
    return null;
  }

  /**
   * An upper bound of the memory that rows of a feed take once applied. Called by any thread.
   *
   * @throws KuduException if a row does not decode
   */
  default long memoryBytes(FedRows rows) {
    return 0;
  }

  /**
   * Applies the next entry and returns one result per request. Called by one thread, in log order.
   */
  List<RequestResult> apply(LogPosition position, LogEntry entry);

  /** Advances past an entry that Raft wrote. Called by the same thread as {@link #apply}. */
  void applyNothing(LogPosition position);

  /** The result of an applied request from the request cache, or null. Called by any thread. */
  @Nullable RequestResult remembered(RequestId id);

  /**
   * The transactions that have rows in the state, or are prepared, and have not ended. Called by
   * any thread.
   */
  default List<OpenTransaction> openTransactions() {
    return List.of();
  }

  /**
   * The value of a named attribute of the state, or null. Attributes are changed by log entries
   * ({@code LogEntry} ATTRIBUTES).
   */
  byte @Nullable [] attribute(String name);

  /** Makes the applied state durable and returns the new {@link #checkpoint}. */
  LogPosition flush() throws IOException;

  /**
   * Makes what the state froze at the boundary of an epoch durable, or everything if nothing is
   * frozen. Returns the new {@link #checkpoint}, which may be before the last applied position.
   */
  default LogPosition flushEpoch() throws IOException {
    return flush();
  }

  @Override
  void close();

  /** The state of a tablet; closing it closes the tablet. */
  static ReplicaState of(Tablet tablet) {
    return new ReplicatedTablet(tablet);
  }
}
