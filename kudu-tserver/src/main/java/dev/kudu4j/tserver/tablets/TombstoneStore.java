package dev.kudu4j.tserver.tablets;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.fs.ServerFiles;
import dev.kudu4j.server.raft.log.LastVote;
import dev.kudu4j.server.raft.log.RaftLogs;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.env.FileStore;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.proto.SuperblockPB;
import dev.kudu4j.tablet.superblock.SuperblockFile;
import dev.kudu4j.tablet.superblock.SuperblockMessages;
import dev.kudu4j.tablet.superblock.TombstoneFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tombstones on disk. A tombstone is durable before anything of its replica is removed, so a
 * crash during the removal leaves the tombstone.
 */
final class TombstoneStore {
  private static final Logger log = LoggerFactory.getLogger(TombstoneStore.class);

  private final ServerFiles directories;
  private final FileStore files;

  TombstoneStore(ServerFiles directories, FileStore files) {
    this.directories = directories;
    this.files = files;
  }

  /** The directory of a tablet; chosen now if the tablet has none. */
  Path directory(String tabletId) throws IOException {
    Path directory = directories.findTablet(tabletId);
    return directory == null ? directories.placeTablet(tabletId) : directory;
  }

  /** The tombstone of a tablet, if it has one. */
  Optional<Tombstone> find(String tabletId) throws IOException {
    Path directory = directories.findTablet(tabletId);
    return directory == null ? Optional.empty() : find(directory);
  }

  /** Reads the tombstone in the directory, which must have one. */
  Tombstone read(Path directory) throws IOException {
    return new Tombstone(new TombstoneFile(files, directory).read());
  }

  /** The tombstone in the directory, if there is one. */
  Optional<Tombstone> find(Path directory) throws IOException {
    return new TombstoneFile(files, directory).exists()
        ? Optional.of(read(directory))
        : Optional.empty();
  }

  /**
   * Whether the directory contains a copy that is complete except for the removal of its tombstone.
   */
  boolean isCompleteCopy(Tombstone tombstone, Path directory) throws IOException {
    return tombstone.isUnfinishedCopy()
        && new SuperblockFile(files, directory).exists()
        && RaftLogs.exists(directories.raftDirectory(), tombstone.tabletId());
  }

  /** Removes the tombstone, which turns a complete copy into the replica. */
  void remove(Path directory) throws IOException {
    new TombstoneFile(files, directory).delete();
  }

  /**
   * Replaces a replica by its tombstone.
   *
   * @param hosted stopped, or never opened
   */
  Tombstone write(HostedTablet hosted, String reason) throws IOException {
    Path directory = directory(hosted.tabletId());
    Tombstone tombstone = describe(hosted, directory, reason);
    new TombstoneFile(files, directory).write(tombstone.message());
    sweep(tombstone, directory);
    return tombstone;
  }

  private Tombstone describe(HostedTablet hosted, Path directory, String reason)
      throws IOException {
    String tabletId = hosted.tabletId();
    LastVote vote = vote(tabletId);
    if (hosted.isOpen()) {
      TabletDescriptor descriptor = hosted.tablet().descriptor();
      return Tombstone.of(tabletId, hosted.replica().lastLogged(), vote, reason)
          .named(descriptor.tableId(), descriptor.tableName());
    }
    try {
      SuperblockPB superblock = new SuperblockFile(files, directory).read();
      return Tombstone.of(tabletId, SuperblockMessages.position(superblock), vote, reason)
          .named(superblock.getTableId(), superblock.getTableName());
    } catch (KuduException unreadable) {
      log.warn(
          "T {}: Cannot read the superblock; the tombstone will have no log position",
          tabletId,
          unreadable);
      return Tombstone.of(tabletId, LogPosition.NONE, vote, reason);
    }
  }

  private LastVote vote(String tabletId) {
    try {
      return LastVote.of(directories.raftDirectory(), tabletId);
    } catch (IOException unreadable) {
      log.warn(
          "T {}: Cannot read the last vote; the tombstone will have none", tabletId, unreadable);
      return LastVote.NONE;
    }
  }

  /**
   * Removes log and data of a replica whose tombstone is durable. Files fetched by an unfinished
   * copy are kept for the next copy.
   */
  void sweep(Tombstone tombstone, Path directory) throws IOException {
    RaftLogs.delete(directories.raftDirectory(), tombstone.tabletId());
    if (tombstone.isUnfinishedCopy()) {
      return;
    }
    for (String name : files.list(directory)) {
      if (!name.equals(TombstoneFile.NAME)) {
        files.delete(directory.resolve(name));
      }
    }
  }
}
