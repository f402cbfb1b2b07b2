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
 * Turns replicas into tombstones and finds these again. The tombstone is durable before anything of
 * the replica goes, so that a crash in between leaves a tombstone.
 */
final class Tombstones {
  private static final Logger log = LoggerFactory.getLogger(Tombstones.class);

  private final ServerFiles directories;
  private final FileStore files;

  Tombstones(ServerFiles directories, FileStore files) {
    this.directories = directories;
    this.files = files;
  }

  /**
   * The tombstone that lies in a directory, if one does; a replica whose copy is complete is none.
   */
  Optional<Tombstone> find(Path directory) throws IOException {
    TombstoneFile file = new TombstoneFile(files, directory);
    return file.exists() ? Optional.of(new Tombstone(file.read())) : Optional.empty();
  }

  /** Whether all of a copy is here, and only its tombstone has still to go. */
  boolean isCompleteCopy(Tombstone tombstone, Path directory) throws IOException {
    return tombstone.isUnfinishedCopy()
        && new SuperblockFile(files, directory).exists()
        && RaftLogs.exists(directories.raftDirectory(), tombstone.tabletId());
  }

  /** The copy is the replica from now on. */
  void remove(Path directory) throws IOException {
    new TombstoneFile(files, directory).delete();
  }

  /**
   * Leaves a tombstone of a replica that does not run any more, and nothing else.
   *
   * @param hosted stopped, or never opened
   */
  Tombstone bury(HostedTablet hosted, Path directory, String reason) throws IOException {
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
      log.warn("T {}: The end of its log is not known", tabletId, unreadable);
      return Tombstone.of(tabletId, LogPosition.NONE, vote, reason);
    }
  }

  private LastVote vote(String tabletId) {
    try {
      return LastVote.of(directories.raftDirectory(), tabletId);
    } catch (IOException unreadable) {
      log.warn("T {}: Its last vote is not known", tabletId, unreadable);
      return LastVote.NONE;
    }
  }

  /** Removes log and data of a replica whose tombstone is durable, but what a copy has fetched. */
  void sweep(Tombstone tombstone, Path directory) throws IOException {
    RaftLogs.delete(directories.raftDirectory(), tombstone.tabletId());
    if (tombstone.isUnfinishedCopy()) {
      return; // the next copy looks what it can use
    }
    for (String name : files.list(directory)) {
      if (!name.equals(TombstoneFile.NAME)) {
        files.delete(directory.resolve(name));
      }
    }
  }
}
