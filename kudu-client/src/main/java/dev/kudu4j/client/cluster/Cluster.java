package dev.kudu4j.client.cluster;

import com.google.protobuf.Message;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The connection to one cluster.
 *
 * <p>Calls are tried again until their deadline when a retry may help: the leader moved, a
 * connection broke, a server is busy, starting or gone. Waits between tries grow from a few
 * milliseconds, with jitter. What a retry cannot help fails at once. A call that fails by its
 * deadline says TIMED_OUT and names the last failure. No thread waits.
 *
 * <p>Futures complete on an event loop: continuations must not block.
 */
public final class Cluster implements AutoCloseable {

  /** The tablets of a table; one object per table id. */
  public TableTablets tabletsOf(String tableId) {
    throw new UnsupportedOperationException("STUB");
  }

  /**
   * Calls the tablet, at the replica chosen, wherever it is by then. {@code request} is asked anew
   * for each try (the chosen replica may matter to it).
   *
   * @return fails with NOT_FOUND when the tablet is gone for good: the rows of its partition may
   *     have a new tablet by now
   */
  public <R extends Message> CompletableFuture<TabletReply<R>> call(
      RemoteTablet tablet,
      ReplicaChoice choice,
      TabletCall<R> call,
      Function<RemoteReplica, Message> request,
      Deadline deadline) {
    throw new UnsupportedOperationException("STUB");
  }

  /**
   * Calls one replica, once, for what only that one can answer (the next batch of a scanner). An
   * error in the answer is a failure here too: see {@link TabletServerFailure}.
   */
  public <R extends Message> CompletableFuture<TabletReply<R>> callOnce(
      RemoteReplica replica, TabletCall<R> call, Message request, Deadline deadline) {
    throw new UnsupportedOperationException("STUB");
  }

  /**
   * The highest timestamp that servers told or users set; 0 for none. Sent along where the protocol
   * has a place for it.
   */
  public long lastTimestamp() {
    throw new UnsupportedOperationException("STUB");
  }

  /** Raises the last timestamp; a lower one changes nothing. */
  public void observe(long timestamp) {
    throw new UnsupportedOperationException("STUB");
  }

  /** Runs {@code task} on an event loop after a while: for flush intervals and keep-alives. */
  public void schedule(Runnable task, long delay, TimeUnit unit) {
    throw new UnsupportedOperationException("STUB");
  }

  @Override
  public void close() {}
}
