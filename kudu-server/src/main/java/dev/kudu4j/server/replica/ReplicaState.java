package dev.kudu4j.server.replica;

import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.log.LogEntry;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.log.RequestId;
import dev.kudu4j.tablet.log.RequestResult;
import java.io.IOException;
import java.util.List;

/**
 * The replicated state: a pure function of the log applied to it, which can make itself durable at
 * a position. {@link #of} makes one of a tablet.
 */
public interface ReplicaState extends AutoCloseable {
  /** The state on disk is the log up to and including this position. */
  LogPosition checkpoint();

  /** Highest timestamp applied, or 0. */
  long maxTimestamp();

  /** Applies the next entry; one thread, in log order. One answer for each request of the entry. */
  List<RequestResult> apply(LogPosition position, LogEntry entry);

  /** Passes an entry of Raft's own. The same thread as {@link #apply}. */
  void applyNothing(LogPosition position);

  /** The answer of a request that was applied before, or null. Any thread. */
  RequestResult remembered(RequestId id);

  /** Bytes that the log keeps with the state by name ({@code LogEntry} ATTRIBUTES), or null. */
  byte[] attribute(String name);

  /** Makes what is applied durable and returns the new {@link #checkpoint}. */
  LogPosition flush() throws IOException;

  @Override
  void close();

  /** The state of a tablet; closing it closes the tablet. */
  static ReplicaState of(Tablet tablet) {
    return new ReplicatedTablet(tablet);
  }
}
