package dev.kudu4j.server.raft.threads;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the number of groups that ask for votes at the same time.
 *
 * <p>When a server ends, a third of the groups of the other servers lose their leaders in the same
 * moment. If all asked for votes at the same time, none of them would get answers in time, and each
 * would try again. A group that waits here for long often has a leader when its turn comes: another
 * member was elected in the meantime.
 *
 * <p>A group that gets no responses leaves its place after {@link #PLACE_MILLIS}, so groups without
 * a majority do not keep out the others. Thread-safe.
 */
public final class ElectionGate {
  private static final Logger LOG = LoggerFactory.getLogger(ElectionGate.class);

  private static final int PLACES = 32;
  private static final int PLACE_MILLIS = 200;

  private final RaftThreads threads;

  @GuardedBy("this")
  private final Deque<Place> waiting = new ArrayDeque<>();

  @GuardedBy("this")
  private int taken;

  ElectionGate(RaftThreads threads) {
    this.threads = threads;
  }

  /** A candidate's turn to ask for votes. */
  public final class Place {
    private final Runnable action;
    private final BooleanSupplier isOver;

    private boolean held; // guarded by the gate

    private Place(Runnable action, BooleanSupplier isOver) {
      this.action = action;
      this.isOver = isOver;
    }

    /** Gives the place to the next candidate. Has no effect if the place is not held. */
    public void leave() {
      Place next;
      synchronized (ElectionGate.this) {
        if (!held) {
          return;
        }
        held = false;
        taken--;
        next = takeNext();
      }
      begin(next);
    }
  }

  /**
   * Runs the action when there is a place for the candidate.
   *
   * @param action must not block
   * @param isOver whether the candidate needs no place any more; must not block
   */
  public Place enter(Runnable action, BooleanSupplier isOver) {
    Place place = new Place(action, isOver);
    Place next;
    synchronized (this) {
      waiting.add(place);
      next = takeNext();
    }
    begin(next);
    return place;
  }

  @GuardedBy("this")
  private @Nullable Place takeNext() {
    while (taken < PLACES && !waiting.isEmpty()) {
      Place next = waiting.poll();
      if (!next.isOver.getAsBoolean()) {
        next.held = true;
        taken++;
        return next;
      }
    }
    return null;
  }

  private void begin(@Nullable Place place) {
    if (place == null) {
      return;
    }
    try {
      threads.after(PLACE_MILLIS, place::leave);
    } catch (IllegalStateException e) {
      LOG.debug("The server is closed", e);
    }
    place.action.run();
  }
}
