package dev.kudu4j.tserver.tablets;

import dev.kudu4j.common.id.HexId;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.raft.RaftHost;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tserver.error.TabletServerError;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The registry's side of copies of tablets to this server: {@link #begin}, then {@link #open} or
 * {@link #failed}. Thread-safe.
 */
public final class CopyLifeCycle {
  private final HostedTablets tablets;
  private final TombstoneStore tombstones;
  private final ReplicaStarter starter;
  private final TabletRemover remover;
  private final TabletLogMessages logMessages;

  CopyLifeCycle(
      HostedTablets tablets,
      TombstoneStore tombstones,
      ReplicaStarter starter,
      TabletRemover remover,
      TabletLogMessages logMessages) {
    this.tablets = tablets;
    this.tombstones = tombstones;
    this.starter = starter;
    this.remover = remover;
    this.logMessages = logMessages;
  }

  /**
   * Admits one copy of a tablet. A failed replica becomes a tombstone first.
   *
   * @param callerTerm the term of the group according to the caller
   * @return the tablet, in state copying; the caller must end it with {@link #open} or {@link
   *     #failed}
   * @throws TabletServerError TABLET_ALREADY_EXISTS, ALREADY_INPROGRESS, TABLET_NOT_RUNNING; or
   *     INVALID_CONFIG if the local log has a later term
   */
  public HostedTablet begin(String tabletId, long callerTerm, CopyProgress progress)
      throws IOException {
    HexId.require("tablet_id", tabletId);
    HostedTablet fresh = new HostedTablet(tabletId);
    fresh.change(now -> now.copying(progress));
    HostedTablet existing = tablets.putIfAbsent(fresh);
    if (existing == null) {
      tablets.changed(fresh);
      return fresh;
    }
    CopyAdmission.check(existing, callerTerm);
    HostedTablet copying;
    synchronized (existing) {
      if (!tablets.holds(existing)) {
        throw KuduException.serviceUnavailable("Tablet %s is changing; try again", tabletId);
      }
      CopyAdmission.check(existing, callerTerm);
      copying =
          existing.tombstone() != null
              ? existing
              : remover.tombstoneLocked(existing, "to be copied: " + existing.lastStatus());
      copying.change(now -> now.copying(progress));
    }
    tablets.changed(copying);
    return copying;
  }

  /** The directory to which the copy is written; chosen now if the tablet has none. */
  public Path directory(HostedTablet copying) throws IOException {
    return tombstones.directory(copying.tabletId());
  }

  /** Creates the environment of a tablet in the directory. */
  public TabletEnvironment environment(Path directory) {
    return starter.environment(directory);
  }

  /**
   * Opens a copy that is complete and durable, joins its group, and removes the tombstone.
   *
   * @param members the group's other members
   */
  public void open(HostedTablet copying, Path directory, List<RaftHost.Peer> members)
      throws IOException {
    String tabletId = copying.tabletId();
    synchronized (copying) {
      OpenTablet opened =
          starter.join(
              tabletId,
              directory,
              members,
              tombstones.read(directory).vote(),
              replica -> tablets.changed(tabletId),
              () -> tombstones.remove(directory));
      copying.change(now -> now.opened(opened));
    }
    tablets.changed(copying);
  }

  /** Ends a copy that failed. What remains on disk is a tombstone, or nothing. */
  public void failed(HostedTablet copying) {
    synchronized (copying) {
      try {
        Optional<Tombstone> left = tombstones.find(copying.tabletId());
        if (left.isPresent()) {
          copying.change(now -> now.tombstoned(left.get()));
        } else {
          tablets.remove(copying);
          copying.change(HostedState::copyVanished);
        }
      } catch (IOException | RuntimeException e) {
        logMessages.tombstoneUnreadable(copying.tabletId(), e);
        copying.change(now -> now.failed(e, false));
      }
    }
    tablets.changed(copying);
  }
}
