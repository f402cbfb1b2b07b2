package dev.kudu4j.master.service;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.common.proto.master.MasterErrorPB;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.master.failure.MasterException;
import dev.kudu4j.master.tables.Delays;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this master leads, and its leader session if it does.
 *
 * <pre>
 *   STARTING -> FOLLOWING &lt;-> LOADING -> LEADING
 *                   ^------------------------'      lost the term
 *                            LOADING &lt;------'      the catalog's store failed
 * </pre>
 *
 * <p>A master leads when it leads the catalog's Raft group <em>and</em> has loaded the catalog;
 * only then does it report itself as LEADER.
 *
 * <p>Thread-safe.
 */
public final class MasterLeadership implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MasterLeadership.class);
  private static final long RELOAD_PAUSE_MILLIS = 200;

  private enum State {
    STARTING,
    FOLLOWING,
    LOADING,
    LEADING
  }

  /** Opens a leader session: loads the catalog. */
  @FunctionalInterface
  public interface SessionFactory {
    /**
     * @param onFailure run when a write has failed; the catalog in memory may then differ from the
     *     stored one
     */
    LeaderSession openSession(long number, Runnable onFailure);
  }

  private final SessionFactory sessions;
  private final Executor loader;
  private final Delays delays;

  private volatile LeaderSession session;
  private volatile String clusterId;

  @GuardedBy("this")
  private State state = State.STARTING;

  /**
   * Rises with each change of leadership. A catalog whose loading began in an earlier epoch is
   * discarded.
   */
  @GuardedBy("this")
  private long epoch;

  /**
   * @param loader loads the catalog; runs one task at a time
   */
  public MasterLeadership(SessionFactory sessions, Executor loader, Delays delays) {
    this.sessions = sessions;
    this.loader = loader;
    this.delays = delays;
  }

  /**
   * Called when this master's replica of the catalog has opened without leading, or has lost the
   * leadership.
   */
  public void following() {
    LeaderSession ended;
    synchronized (this) {
      ended = endLocked(State.FOLLOWING);
    }
    if (ended != null) {
      LOG.info("Leadership of the catalog lost: another master may lead now");
    }
    close(ended);
  }

  /**
   * Called when this master leads the Raft group and has applied everything committed in earlier
   * terms. Begins to load the catalog.
   */
  public void elected() {
    LeaderSession ended;
    long loading;
    synchronized (this) {
      ended = endLocked(State.LOADING);
      loading = epoch;
    }
    beginLoading(ended, loading);
  }

  private void beginLoading(LeaderSession ended, long loading) {
    close(ended);
    loader.execute(() -> load(loading));
  }

  @GuardedBy("this")
  private LeaderSession endLocked(State next) {
    LeaderSession ended = session;
    session = null;
    state = next;
    epoch++;
    return ended;
  }

  private static void close(LeaderSession ended) {
    if (ended != null) {
      ended.close();
    }
  }

  private void load(long loading) {
    if (!isCurrent(loading)) {
      return;
    }
    LeaderSession loaded;
    try {
      loaded = sessions.openSession(loading, () -> storeFailed(loading));
    } catch (RuntimeException e) {
      LOG.error("The catalog could not be loaded; this master tries again", e);
      delays.after(RELOAD_PAUSE_MILLIS, () -> loader.execute(() -> load(loading)));
      return;
    }
    boolean leads;
    synchronized (this) {
      leads = epoch == loading && state == State.LOADING;
      if (leads) {
        state = State.LEADING;
        clusterId = loaded.catalog().clusterId();
        session = loaded;
      }
    }
    if (leads) {
      LOG.info(
          "Leadership of the catalog won: loaded {} tables with {} replicas of cluster {}",
          loaded.catalog().tables().size(),
          loaded.catalog().replicas(),
          clusterId);
      loaded.tables().start();
    } else {
      loaded.close();
    }
  }

  private synchronized boolean isCurrent(long loading) {
    return epoch == loading && state == State.LOADING;
  }

  /**
   * Ends the session of this epoch and loads the catalog again. The epoch is checked under the same
   * lock as the change of state: a master that has become a follower in the meantime must not load.
   */
  private void storeFailed(long failed) {
    LeaderSession ended;
    long loading;
    synchronized (this) {
      if (epoch != failed) {
        return;
      }
      ended = endLocked(State.LOADING);
      loading = epoch;
    }
    LOG.warn(
        "A write of the catalog failed and its outcome is unknown; this master loads the catalog"
            + " again");
    beginLoading(ended, loading);
  }

  /**
   * The leader session.
   *
   * @throws MasterException if there is none: its code tells the client to ask another master, or
   *     to try again later
   */
  public LeaderSession session() {
    LeaderSession current = session;
    if (current != null) {
      return current;
    }
    throw notLeading();
  }

  /** The leader session; empty if this master does not lead. */
  public Optional<LeaderSession> current() {
    return Optional.ofNullable(session);
  }

  public boolean isLeading() {
    return session != null;
  }

  /** Whether this master is starting or loading, and so may lead soon. */
  public synchronized boolean isLoading() {
    return state == State.STARTING || state == State.LOADING;
  }

  private synchronized MasterException notLeading() {
    return switch (state) {
      case STARTING ->
          new MasterException(
              MasterErrorPB.Code.CATALOG_MANAGER_NOT_INITIALIZED,
              StatusCode.SERVICE_UNAVAILABLE,
              "the master is starting; try again");
      case FOLLOWING ->
          new MasterException(
              MasterErrorPB.Code.NOT_THE_LEADER,
              StatusCode.ILLEGAL_STATE,
              "this master is not the leader; ask another one");
      case LOADING, LEADING ->
          new MasterException(
              MasterErrorPB.Code.NOT_THE_LEADER,
              StatusCode.SERVICE_UNAVAILABLE,
              "this master has been elected and is loading the catalog; try again");
    };
  }

  /** Sets the cluster's id, which a follower has read from its replica of the catalog. */
  public void learnClusterId(String id) {
    clusterId = id;
  }

  /** The cluster's id; null until this master has led or has learned it. */
  public String clusterId() {
    return clusterId;
  }

  @Override
  public void close() {
    following();
  }
}
