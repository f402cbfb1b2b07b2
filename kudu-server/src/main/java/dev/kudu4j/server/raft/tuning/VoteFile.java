package dev.kudu4j.server.raft.tuning;

import dev.kudu4j.server.raft.log.LastVote;
import dev.kudu4j.tablet.env.FileStore;
import dev.kudu4j.tablet.env.LocalFileStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorageMetadata;
import org.apache.ratis.server.storage.RaftStorageMetadataFile;

/**
 * The file of a replica's last vote, which is replaced atomically. On a full disk, Ratis'
 * implementation replaces the old file with a partially written one.
 *
 * <p>Thread-safe.
 */
final class VoteFile implements RaftStorageMetadataFile {
  private final FileStore files;
  private final Path current;
  private final Runnable beforeWriting;
  private RaftStorageMetadata last;

  /**
   * @param current the directory of the group's log
   * @param beforeWriting called before the file is written, to make room for a file descriptor
   * @param last present content of the file
   */
  VoteFile(FileStore files, Path current, Runnable beforeWriting, RaftStorageMetadata last) {
    this.files = files;
    this.current = current;
    this.beforeWriting = beforeWriting;
    this.last = last;
  }

  /** Replaces Ratis' vote file in a group that has just been started. */
  @SuppressWarnings("unchecked")
  static void takeOver(RaftServer.Division division, DescriptorReserve descriptors)
      throws ReflectiveOperationException, IOException {
    Object holder = RatisField.get(division.getRaftStorage(), "metaFile");
    AtomicReference<RaftStorageMetadataFile> file =
        (AtomicReference<RaftStorageMetadataFile>) RatisField.get(holder, "ref");
    Path current = division.getRaftStorage().getStorageDir().getCurrentDir().toPath();
    synchronized (division) { // the lock of votes and elections
      RaftStorageMetadata last =
          Objects.requireNonNull(file.get(), "the storage has a vote file").getMetadata();
      file.set(new VoteFile(new LocalFileStore(), current, descriptors::makeRoomNow, last));
    }
  }

  @Override
  public synchronized RaftStorageMetadata getMetadata() {
    return last;
  }

  @Override
  public synchronized void persist(RaftStorageMetadata vote) throws IOException {
    if (vote.equals(last)) {
      return;
    }
    beforeWriting.run();
    RaftPeerId candidate = vote.getVotedFor();
    new LastVote(vote.getTerm(), candidate == null ? "" : candidate.toString())
        .write(files, current);
    last = vote;
  }

  @Override
  public synchronized String toString() {
    return current + ": " + last;
  }
}
