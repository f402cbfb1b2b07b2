package dev.kudu4j.server.replica;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.server.replica.TabletReplica.State;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The state of a replica and its reason. Each transition succeeds once, and the thread whose call
 * succeeded performs the actions that belong to the transition.
 *
 * <pre>
 *   STARTING --&gt; RUNNING --&gt; STOPPED
 *        \           \----&gt; FAILED
 *         \----------\----&gt; EVICTED (from RUNNING only)
 * </pre>
 *
 * <p>Thread-safe.
 */
final class ReplicaLifeCycle {
  /** A state and its reason, which readers see together. */
  private record Stage(State state, @Nullable Throwable reason) {}

  private final String tabletId;
  private final AtomicReference<Stage> stage =
      new AtomicReference<>(new Stage(State.STARTING, null));

  ReplicaLifeCycle(String tabletId) {
    this.tabletId = tabletId;
  }

  private Stage now() {
    return Objects.requireNonNull(stage.get(), "a replica is always in a stage");
  }

  State state() {
    return now().state;
  }

  /** Why the replica has failed, or null. */
  @Nullable Throwable reason() {
    return now().reason;
  }

  boolean isRunning() {
    return state() == State.RUNNING;
  }

  /**
   * Whether the replica has stopped, failed or been evicted, and therefore applies nothing more.
   */
  boolean hasEnded() {
    State now = state();
    return now != State.STARTING && now != State.RUNNING;
  }

  /** Moves from STARTING to RUNNING; false if the replica has failed or stopped in the meantime. */
  boolean run() {
    return move(State.STARTING, State.RUNNING, null);
  }

  /** Moves from STARTING or RUNNING to FAILED; false if the replica is in another state. */
  boolean fail(Throwable cause) {
    return move(State.STARTING, State.FAILED, cause) || move(State.RUNNING, State.FAILED, cause);
  }

  /** Moves from RUNNING to EVICTED; false if the replica is in another state. */
  boolean evict() {
    return move(State.RUNNING, State.EVICTED, null);
  }

  /** Moves from any state to STOPPED; false if the replica is already stopped. */
  boolean stop() {
    Stage before = stage.getAndUpdate(now -> new Stage(State.STOPPED, now.reason));
    return before.state != State.STOPPED;
  }

  private boolean move(State from, State to, @Nullable Throwable reason) {
    Stage now = now();
    return now.state == from && stage.compareAndSet(now, new Stage(to, reason));
  }

  /**
   * Throws unless the replica is running: ILLEGAL_STATE if it was evicted, else
   * SERVICE_UNAVAILABLE.
   */
  void checkRunning() {
    Stage now = now();
    switch (now.state) {
      case RUNNING -> {}
      case FAILED -> throw failure(now.reason);
      case EVICTED ->
          throw KuduException.illegalState(
              "This replica of tablet %s is no longer a member of its group", tabletId);
      default ->
          throw KuduException.serviceUnavailable(
              "The replica of tablet %s is %s", tabletId, now.state);
    }
  }

  KuduException failure(@Nullable Throwable reason) {
    return new KuduException(
        StatusCode.SERVICE_UNAVAILABLE,
        "The replica of tablet " + tabletId + " has failed: " + reason,
        reason);
  }
}
