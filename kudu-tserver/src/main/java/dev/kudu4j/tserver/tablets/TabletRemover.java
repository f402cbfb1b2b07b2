package dev.kudu4j.tserver.tablets;

import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.server.fs.ServerFiles;
import dev.kudu4j.server.raft.log.RaftLogs;
import dev.kudu4j.tablet.env.FileStore;
import dev.kudu4j.tablet.superblock.TabletDirectory;
import dev.kudu4j.tserver.error.TabletServerError;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Removes replicas: deletes them or replaces them by tombstones. A tablet that is being copied is
 * not removed: the copy is cancelled, and the caller must retry.
 */
final class TabletRemover {
  private final ServerFiles directories;
  private final FileStore files;
  private final HostedTablets tablets;
  private final TombstoneStore tombstones;
  private final TabletLogMessages logMessages;

  TabletRemover(
      ServerFiles directories,
      FileStore files,
      HostedTablets tablets,
      TombstoneStore tombstones,
      TabletLogMessages logMessages) {
    this.directories = directories;
    this.files = files;
    this.tablets = tablets;
    this.tombstones = tombstones;
    this.logMessages = logMessages;
  }

  /** Stops the replica and removes log and data. */
  void delete(HostedTablet hosted) throws IOException {
    String tabletId = hosted.tabletId();
    stop(hosted);
    synchronized (hosted) {
      if (!tablets.holds(hosted)) {
        return; // another thread removed it
      }
      OpenTablet open = hosted.now().open();
      if (open != null) {
        open.replica().closeAndDeleteLog();
      } else {
        RaftLogs.delete(directories.raftDirectory(), tabletId);
      }
      Path directory = directories.findTablet(tabletId);
      if (directory != null) {
        TabletDirectory.delete(files, directory);
      }
      tablets.remove(hosted);
    }
    tablets.changed(tabletId);
  }

  /**
   * Stops the replica and replaces its log and data by a tombstone. If the tablet already has a
   * tombstone, nothing changes.
   */
  void tombstone(HostedTablet hosted, String reason) throws IOException {
    // Not under the lock, because a copy may hold it.
    checkNotCopying(hosted.tabletId(), hosted.now());
    synchronized (hosted) {
      if (tablets.holds(hosted) && hosted.tombstone() == null) {
        tombstoneLocked(hosted, reason);
      }
    }
    tablets.changed(hosted);
  }

  /**
   * Like {@link #tombstone}; the caller holds the tablet's lock.
   *
   * @return the tombstone, which replaces {@code hosted} in the map
   */
  HostedTablet tombstoneLocked(HostedTablet hosted, String reason) throws IOException {
    stop(hosted);
    OpenTablet open = hosted.now().open();
    if (open != null) {
      open.replica().close();
    }
    HostedTablet tombstoned = HostedTablet.tombstoned(writeTombstone(hosted, reason));
    tablets.replace(hosted, tombstoned);
    logMessages.tombstoned(tombstoned);
    return tombstoned;
  }

  private Tombstone writeTombstone(HostedTablet hosted, String reason) throws IOException {
    try {
      return tombstones.write(hosted, reason);
    } catch (IOException | RuntimeException e) {
      // Otherwise the tablet would remain in state stopping and admit no copy.
      hosted.change(now -> now.removalFailed(e));
      throw e;
    }
  }

  private static void stop(HostedTablet hosted) {
    hosted.change(
        now -> {
          checkNotCopying(hosted.tabletId(), now);
          return now.stopping();
        });
  }

  /**
   * If the tablet is being copied, cancels the copy, which ends soon afterwards, and throws
   * ALREADY_INPROGRESS.
   */
  private static void checkNotCopying(String tabletId, HostedState now) {
    CopyProgress copy = now.copy();
    if (copy != null) {
      copy.cancel();
      throw new TabletServerError(
          TabletServerErrorPB.Code.ALREADY_INPROGRESS,
          StatusCode.ALREADY_PRESENT,
          "Tablet " + tabletId + " is being copied to this server; the copy is being cancelled");
    }
  }
}
