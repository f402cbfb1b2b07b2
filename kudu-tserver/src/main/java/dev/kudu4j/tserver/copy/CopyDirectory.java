package dev.kudu4j.tserver.copy;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.raft.log.RaftLogs;
import dev.kudu4j.tablet.env.FileStore;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.env.WritableFile;
import dev.kudu4j.tablet.file.FileKind;
import dev.kudu4j.tablet.file.SealedFile;
import dev.kudu4j.tablet.proto.CompleteFilePB;
import dev.kudu4j.tablet.proto.SuperblockPB;
import dev.kudu4j.tablet.proto.TombstonePB;
import dev.kudu4j.tablet.proto.UnfinishedCopyPB;
import dev.kudu4j.tablet.superblock.NamedFile;
import dev.kudu4j.tablet.superblock.SuperblockFile;
import dev.kudu4j.tablet.superblock.TombstoneFile;
import dev.kudu4j.tserver.tablets.Tombstone;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The target's directory while a tablet is copied into it. The tombstone in the directory lists the
 * files that are complete and synced. When all files are complete, the superblock is written. Used
 * by one thread.
 */
final class CopyDirectory {
  private final FileStore files;
  private final TabletEnvironment environment;
  private final Path raftDirectory;
  private final Path directory;
  private final TombstoneFile tombstoneFile;
  private final SuperblockFile superblockFile;
  private final Map<String, Long> complete = new LinkedHashMap<>();
  private @Nullable TombstonePB tombstone; // null until the copy begins
  private @Nullable SuperblockPB superblock; // the source's; null until the copy begins
  private Map<String, FileKind> kinds = Map.of();
  private @Nullable WritableFile writing;

  /**
   * @param environment the environment of the directory
   * @param raftDirectory contains the logs of all tablets
   */
  CopyDirectory(TabletEnvironment environment, Path raftDirectory) {
    this.files = environment.files();
    this.environment = environment;
    this.raftDirectory = raftDirectory;
    this.directory = environment.directory();
    this.tombstoneFile = new TombstoneFile(files, directory);
    this.superblockFile = new SuperblockFile(files, directory);
  }

  /** The tombstone in the directory; a blank tombstone if there is none. */
  Tombstone before(String tabletId) throws IOException {
    return tombstoneFile.exists()
        ? new Tombstone(tombstoneFile.read())
        : Tombstone.blank(tabletId, "an unfinished copy");
  }

  /**
   * Records durably that a tablet is being copied into the directory, and removes files that the
   * copy cannot use. The superblock and the log of an earlier copy that was installed but did not
   * join its group are removed first: with both, the directory would hold a replica.
   */
  void begin(CopySource.Offer offer, String sourceUuid, Tombstone before) throws IOException {
    closeCurrentFile();
    SuperblockPB superblock = offer.superblock();
    this.superblock = superblock;
    kinds = kinds(superblock);
    if (superblockFile.exists()) {
      files.delete(directory.resolve(SuperblockFile.NAME));
      files.syncDirectory(directory);
    }
    RaftLogs.delete(raftDirectory, superblock.getTabletId());
    complete.clear();
    complete.putAll(usable(offer, before));
    UnfinishedCopyPB.Builder copy = UnfinishedCopyPB.newBuilder().setSourceUuid(sourceUuid);
    if (superblock.hasLineage()) {
      copy.setLineage(superblock.getLineage());
    }
    tombstone =
        before.message().toBuilder()
            .setTableId(superblock.getTableId())
            .setTableName(superblock.getTableName())
            .setCopy(copy)
            .build();
    note();
    for (String name : files.list(directory)) {
      if (!name.equals(TombstoneFile.NAME) && !complete.containsKey(name)) {
        files.delete(directory.resolve(name));
      }
    }
  }

  private static Map<String, FileKind> kinds(SuperblockPB superblock) {
    Map<String, FileKind> kinds = new LinkedHashMap<>();
    for (NamedFile file : NamedFile.of(superblock)) {
      kinds.put(file.name(), file.role().kind());
    }
    return kinds;
  }

  /**
   * The complete files of an earlier copy that can be kept. Within a lineage, files with the same
   * name have the same content.
   */
  private static Map<String, Long> usable(CopySource.Offer offer, Tombstone before) {
    UnfinishedCopyPB earlier = before.message().getCopy();
    Map<String, Long> usable = new LinkedHashMap<>();
    boolean sameLineage =
        earlier.hasLineage()
            && offer.superblock().hasLineage()
            && earlier.getLineage() == offer.superblock().getLineage();
    if (sameLineage) {
      for (CompleteFilePB file : earlier.getFilesList()) {
        if (Long.valueOf(file.getBytes()).equals(offer.files().get(file.getName()))) {
          usable.put(file.getName(), file.getBytes());
        }
      }
    }
    return usable;
  }

  /** Records in the tombstone which files are complete. The record is durable when this returns. */
  private void note() throws IOException {
    TombstonePB now = tombstone();
    UnfinishedCopyPB.Builder copy = now.getCopy().toBuilder().clearFiles();
    complete.forEach(
        (name, bytes) -> copy.addFiles(CompleteFilePB.newBuilder().setName(name).setBytes(bytes)));
    now = now.toBuilder().setCopy(copy).build();
    tombstone = now;
    tombstoneFile.write(now);
  }

  /** The files to fetch, in the order of the superblock. */
  List<String> missing() {
    return kinds.keySet().stream().filter(name -> !complete.containsKey(name)).toList();
  }

  int completeFiles() {
    return complete.size();
  }

  long completeBytes() {
    return complete.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The current tombstone. */
  Tombstone now() {
    return new Tombstone(tombstone());
  }

  private TombstonePB tombstone() {
    return Objects.requireNonNull(tombstone, "the copy has not begun");
  }

  /**
   * Writes the next bytes of a file.
   *
   * @param last whether the file ends with these bytes; the file is then synced, checked and
   *     recorded as complete
   */
  void write(String name, long offset, byte[] bytes, boolean last) throws IOException {
    if (offset == 0) {
      writing = files.create(directory.resolve(name));
    }
    WritableFile file = Objects.requireNonNull(writing, "a file is written from its first byte");
    file.append(bytes, 0, bytes.length);
    if (last) {
      long length = file.position();
      file.sync();
      closeCurrentFile();
      files.syncDirectory(directory);
      check(name);
      complete.put(name, length);
      note();
    }
  }

  /**
   * Opens the file, which verifies the checksums of header, footer and trailer.
   *
   * @throws KuduException CORRUPTION if a checksum does not match; the file is then corrupt at the
   *     source
   */
  private void check(String name) throws IOException {
    FileKind kind = Objects.requireNonNull(kinds.get(name), "the superblock names the file");
    SealedFile.open(environment, environment.allocator(), directory.resolve(name), kind).close();
  }

  /**
   * Writes the superblock, with a new lineage. From now on the directory holds the complete state
   * of the tablet.
   */
  void install() throws IOException {
    files.syncDirectory(directory);
    SuperblockPB copied = Objects.requireNonNull(superblock, "the copy has not begun");
    superblockFile.write(copied.toBuilder().setLineage(environment.random().nextLong()).build());
  }

  /**
   * Records that none of the fetched files is complete, so a later copy fetches all of them again.
   */
  void distrust() throws IOException {
    closeCurrentFile();
    if (tombstone != null) {
      complete.clear();
      note();
    }
  }

  /** Closes the file that is being written, if any. */
  void closeCurrentFile() throws IOException {
    if (writing != null) {
      WritableFile file = writing;
      writing = null;
      file.close();
    }
  }
}
