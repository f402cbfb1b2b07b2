package dev.kudu4j.tserver.copy;

import dev.kudu4j.common.status.KuduException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The sessions in which other servers copy from this server. A session ends when it is idle for too
 * long, when its tablet stops, or when the same target begins another session for the tablet.
 * Thread-safe.
 */
final class SourceSessions implements AutoCloseable {
  private final Map<String, SourceSession> sessions = new ConcurrentHashMap<>();
  private final long idleNanos;
  private final CopyMeters meters;
  private final LongSupplier nanoTime;
  private final ScheduledFuture<?> sweep;
  private volatile boolean closed;

  SourceSessions(
      int idleSeconds, CopyMeters meters, LongSupplier nanoTime, ScheduledExecutorService timer) {
    this.idleNanos = TimeUnit.SECONDS.toNanos(idleSeconds);
    this.meters = meters;
    this.nanoTime = nanoTime;
    long periodMillis = Math.min(10_000, TimeUnit.SECONDS.toMillis(idleSeconds) / 4);
    this.sweep =
        timer.scheduleWithFixedDelay(
            this::sweep, periodMillis, periodMillis, TimeUnit.MILLISECONDS);
  }

  long nowNanos() {
    return nanoTime.getAsLong();
  }

  long idleMillis() {
    return TimeUnit.NANOSECONDS.toMillis(idleNanos);
  }

  /** Adds a session, which replaces an earlier session of the same target for the same tablet. */
  void add(SourceSession session) {
    endAll(
        other ->
            other.tabletId().equals(session.tabletId())
                && other.requestorUuid().equals(session.requestorUuid()));
    sessions.put(session.id(), session);
    meters.sessionBegun();
    if (closed) {
      end(session);
    }
  }

  /** The session with the id, or null. Restarts its idle timeout. */
  @Nullable SourceSession use(String id) {
    SourceSession session = sessions.get(id);
    if (session != null) {
      session.touch(nowNanos());
    }
    return session;
  }

  /** The session with the id, or null. Does not restart its idle timeout. */
  @Nullable SourceSession look(String id) {
    return sessions.get(id);
  }

  /**
   * Like {@link #use}.
   *
   * @throws KuduException NOT_FOUND if there is no such session
   */
  SourceSession required(String id) {
    SourceSession session = use(id);
    if (session == null) {
      throw KuduException.notFound(
          "Tablet copy session %s does not exist: it ended or expired, or the server restarted;"
              + " begin another",
          id);
    }
    return session;
  }

  /** Ends the session; returns false if it had already ended. */
  boolean end(SourceSession session) {
    if (!sessions.remove(session.id(), session)) {
      return false;
    }
    session.close();
    meters.sessionEnded(nanoTime.getAsLong() - session.startedNanos());
    return true;
  }

  void endAll(Predicate<SourceSession> which) {
    for (SourceSession session : List.copyOf(sessions.values())) {
      if (which.test(session)) {
        end(session);
      }
    }
  }

  Collection<SourceSession> all() {
    return sessions.values();
  }

  private void sweep() {
    long now = nowNanos();
    for (SourceSession session : sessions.values()) {
      if (now - session.lastUsedNanos() > idleNanos && end(session)) {
        CopyLogMessages.expired(session, now - session.lastUsedNanos());
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    sweep.cancel(false);
    endAll(session -> true);
  }
}
