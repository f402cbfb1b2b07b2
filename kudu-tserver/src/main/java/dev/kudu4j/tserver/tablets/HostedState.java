package dev.kudu4j.tserver.tablets;

import dev.kudu4j.common.proto.tablet.TabletDataState;
import dev.kudu4j.common.proto.tablet.TabletStatePB;
import dev.kudu4j.common.status.KuduException;
import org.jspecify.annotations.Nullable;

/**
 * The state of one tablet on this server: one immutable value, so a reader never sees a partial
 * change.
 *
 * <pre>
 *   found on disk, created           copy admitted
 *            |                             |
 *            v                             v
 *      Bootstrapping --&gt; Open &lt;--------- Copying &lt;--+
 *         |     |                         |   |     |
 *         |     +-----&gt; Tombstoned &lt;------+   |     |
 *         v                  |                |     |
 *       Failed &lt;-------------|----------------+     |
 *                            +----------------------+
 *   each state --&gt; Stopping, which keeps the previous state
 *   Stopping --&gt; RemovalFailed, or the previous state
 * </pre>
 *
 * <p>A replica that becomes a tombstone is another {@link HostedTablet}: {@link Open} and {@link
 * Failed} only lead to {@link Stopping}. The state of its replica decides whether an open tablet
 * serves requests.
 */
sealed interface HostedState {

  /** The initial state of a tablet that was found on disk or is being created. */
  static HostedState bootstrapping() {
    return new Bootstrapping();
  }

  /** The tablet is open and its replica has started. */
  default HostedState opened(OpenTablet tablet) {
    throw illegal("opened");
  }

  /**
   * The tablet cannot be opened.
   *
   * @param remainder whether the disk holds only the remainder of a creation that a crash
   *     interrupted, so the tablet never had a row
   */
  default HostedState failed(Throwable cause, boolean remainder) {
    throw illegal("failed");
  }

  /** The tablet has only a tombstone. */
  default HostedState tombstoned(Tombstone tombstone) {
    throw illegal("tombstoned");
  }

  /** A copy of the tablet to this server is admitted. */
  default HostedState copying(CopyProgress copy) {
    throw illegal("copying");
  }

  /** A copy has ended before any of its state was durable. */
  default HostedState copyVanished() {
    throw illegal("copyVanished");
  }

  /** The server closes the tablet, removes it, or turns it into a tombstone. */
  default HostedState stopping() {
    return new Stopping(this);
  }

  /**
   * The removal has failed, for example because the disk is full. The stopped replica does not
   * start again; it may later be removed or replaced by a copy.
   */
  default HostedState removalFailed(Throwable cause) {
    throw illegal("removalFailed");
  }

  /** The data on disk: the complete data of the replica, only a tombstone, or part of a copy. */
  default TabletDataState dataState() {
    return TabletDataState.TABLET_DATA_READY;
  }

  /** The state that the server reports. */
  TabletStatePB state();

  /** The status in one line, for people. */
  default String lastStatus() {
    Throwable cause = cause();
    return cause == null ? state().name() : cause.toString();
  }

  /** The tablet with its replica; null if the replica has not started. */
  default @Nullable OpenTablet open() {
    return null;
  }

  /** Why the tablet does not serve, or null. */
  default @Nullable Throwable cause() {
    return null;
  }

  /** The tombstone of the earlier replica, or null. */
  default @Nullable Tombstone tombstone() {
    return null;
  }

  /** The copy to this server that is in progress, or null. */
  default @Nullable CopyProgress copy() {
    return null;
  }

  /** Whether only the remainder of an interrupted creation is on disk. */
  default boolean isRemainder() {
    return false;
  }

  default boolean isStopping() {
    return false;
  }

  private IllegalStateException illegal(String transition) {
    return new IllegalStateException("Transition " + transition + " from " + this);
  }

  /** The tablet is being opened or created. */
  record Bootstrapping() implements HostedState {
    @Override
    public HostedState opened(OpenTablet tablet) {
      return new Open(tablet);
    }

    @Override
    public HostedState failed(Throwable cause, boolean remainder) {
      return new Failed(cause, remainder);
    }

    @Override
    public HostedState tombstoned(Tombstone tombstone) {
      return new Tombstoned(tombstone);
    }

    @Override
    public HostedState copying(CopyProgress copy) {
      return new Copying(copy, null);
    }

    @Override
    public TabletStatePB state() {
      return TabletStatePB.BOOTSTRAPPING;
    }
  }

  /** The tablet is open and its replica has started. */
  record Open(OpenTablet open) implements HostedState {
    @Override
    public TabletStatePB state() {
      return open.state();
    }

    @Override
    public @Nullable Throwable cause() {
      return open.replica().reason();
    }
  }

  /**
   * The replica was stopped to be removed, and its removal failed.
   *
   * @param open the stopped tablet; a later tombstone takes the last position of the log from it
   */
  record RemovalFailed(OpenTablet open, Throwable cause) implements HostedState {
    @Override
    public TabletStatePB state() {
      return TabletStatePB.FAILED;
    }
  }

  /** The tablet cannot be opened, or the tombstone of a failed copy cannot be read. */
  record Failed(Throwable cause, boolean isRemainder) implements HostedState {
    @Override
    public TabletStatePB state() {
      return TabletStatePB.FAILED;
    }
  }

  /** The tablet has only a tombstone. */
  record Tombstoned(Tombstone tombstone) implements HostedState {
    @Override
    public HostedState copying(CopyProgress copy) {
      return new Copying(copy, tombstone);
    }

    @Override
    public TabletDataState dataState() {
      return TabletDataState.TABLET_DATA_TOMBSTONED;
    }

    @Override
    public TabletStatePB state() {
      return TabletStatePB.STOPPED;
    }

    @Override
    public String lastStatus() {
      return "Tombstoned at %d.%d: %s"
          .formatted(
              tombstone.lastLogged().term(), tombstone.lastLogged().index(), tombstone.reason());
    }
  }

  /**
   * A copy is in progress.
   *
   * @param tombstone the tombstone of the earlier replica on this server; null if there was none
   */
  record Copying(CopyProgress copy, @Nullable Tombstone tombstone) implements HostedState {
    @Override
    public HostedState opened(OpenTablet tablet) {
      return new Open(tablet);
    }

    @Override
    public HostedState failed(Throwable cause, boolean remainder) {
      return new Failed(cause, remainder);
    }

    @Override
    public HostedState tombstoned(Tombstone left) {
      return new Tombstoned(left);
    }

    @Override
    public HostedState copyVanished() {
      return new Stopping(new Bootstrapping());
    }

    @Override
    public TabletDataState dataState() {
      return TabletDataState.TABLET_DATA_COPYING;
    }

    @Override
    public TabletStatePB state() {
      return TabletStatePB.INITIALIZED;
    }

    @Override
    public String lastStatus() {
      return copy.text();
    }
  }

  /**
   * The tablet is being removed or closed. An opening, removal or copy that has already begun still
   * completes, so {@code before} may change. A new copy is not admitted.
   *
   * @param before the underlying state; must not be stopping
   */
  record Stopping(HostedState before) implements HostedState {
    public Stopping {
      if (before.isStopping()) {
        throw before.illegal("stopping");
      }
    }

    private static HostedState after(HostedState next) {
      return next.isStopping() ? next : new Stopping(next);
    }

    @Override
    public HostedState opened(OpenTablet tablet) {
      return after(before.opened(tablet));
    }

    @Override
    public HostedState failed(Throwable cause, boolean remainder) {
      return after(before.failed(cause, remainder));
    }

    @Override
    public HostedState tombstoned(Tombstone tombstone) {
      return after(before.tombstoned(tombstone));
    }

    /**
     * Rejects a new copy. {@link CopyAdmission} also rejects copies of a tablet that is stopping,
     * but another thread may call {@link #stopping} after that check.
     */
    @Override
    public HostedState copying(CopyProgress copy) {
      throw KuduException.serviceUnavailable(
          "The tablet is being removed from this server; try again");
    }

    @Override
    public HostedState copyVanished() {
      return after(before.copyVanished());
    }

    @Override
    public HostedState stopping() {
      return this;
    }

    @Override
    public HostedState removalFailed(Throwable cause) {
      OpenTablet open = before.open();
      return open == null ? before : new RemovalFailed(open, cause);
    }

    @Override
    public boolean isStopping() {
      return true;
    }

    @Override
    public TabletDataState dataState() {
      return before.dataState();
    }

    @Override
    public TabletStatePB state() {
      return dataState() == TabletDataState.TABLET_DATA_READY
          ? TabletStatePB.STOPPING
          : before.state();
    }

    @Override
    public String lastStatus() {
      return before.cause() == null && dataState() == TabletDataState.TABLET_DATA_READY
          ? state().name()
          : before.lastStatus();
    }

    @Override
    public @Nullable OpenTablet open() {
      return before.open();
    }

    @Override
    public @Nullable Throwable cause() {
      return before.cause();
    }

    @Override
    public @Nullable Tombstone tombstone() {
      return before.tombstone();
    }

    @Override
    public @Nullable CopyProgress copy() {
      return before.copy();
    }

    @Override
    public boolean isRemainder() {
      return before.isRemainder();
    }
  }
}
