package dev.kudu4j.tablet.checkpoint;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.file.StoredFile;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.proto.SuperblockPB;
import dev.kudu4j.tablet.superblock.SuperblockMessages;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A superblock and the data files that it references. The files stay on disk until {@link #close},
 * regardless of flushes and compactions. A tablet copy reads the files. A pinned checkpoint keeps
 * files open, but no rows in memory.
 *
 * <p>Thread-safe. The files must not be read after {@link #close}.
 */
public final class PinnedCheckpoint implements AutoCloseable {
  private final SuperblockPB superblock;
  private final Map<String, StoredFile> files;
  private final AtomicBoolean closed = new AtomicBoolean();

  private PinnedCheckpoint(SuperblockPB superblock, Map<String, StoredFile> files) {
    this.superblock = superblock;
    this.files = files;
  }

  /**
   * @param components the version whose files the superblock references; pinned by the caller
   *     during the call
   * @param staged the files of staged rows that the superblock references
   */
  static PinnedCheckpoint of(
      SuperblockPB superblock, Components components, Collection<? extends StoredFile> staged) {
    List<StoredFile> open = new ArrayList<>(staged);
    components.rowSets().forEach(rowSet -> open.addAll(rowSet.files()));
    Map<String, StoredFile> files = new HashMap<>();
    open.forEach(file -> files.put(file.file().getFileName().toString(), file));
    if (!files.keySet().equals(SuperblockMessages.fileNames(superblock))) {
      throw new IllegalStateException(
          "The open files differ from those of the superblock: " + files);
    }
    files.values().forEach(StoredFile::retain);
    return new PinnedCheckpoint(superblock, Map.copyOf(files));
  }

  public SuperblockPB superblock() {
    return superblock;
  }

  /** The files contain the state of the log up to and including this position. */
  public LogPosition position() {
    return SuperblockMessages.position(superblock);
  }

  /** Every file that the superblock references, by name. */
  public Map<String, StoredFile> files() {
    return files;
  }

  /**
   * One of the files.
   *
   * @throws KuduException INVALID_ARGUMENT if the superblock does not reference it
   */
  public StoredFile file(String name) {
    StoredFile file = files.get(name);
    if (file == null) {
      throw KuduException.invalidArgument(
          "The checkpoint of tablet %s at %s has no file '%s'",
          superblock.getTabletId(), position(), name);
    }
    return file;
  }

  /** Releases the files; a second close does nothing. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      files.values().forEach(StoredFile::release);
    }
  }
}
