package dev.kudu4j.tablet.compaction;

import dev.kudu4j.tablet.checkpoint.CheckpointCrashPoints;
import dev.kudu4j.tablet.checkpoint.NewFiles;
import dev.kudu4j.tablet.checkpoint.RowSetMessages;
import dev.kudu4j.tablet.checkpoint.StoreUpdate;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.components.RowSetFiles;
import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.delta.DeltaFileWriter;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.proto.RowSetPB;
import dev.kudu4j.tablet.proto.SuperblockPB;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Replaces files of one rowset with files that are equivalent for every snapshot at or above the
 * ancient history mark. Ordinals do not change, so the in-memory stores stay valid and nothing is
 * carried over.
 */
public abstract class FileReplacement implements StoreUpdate {
  private final TabletEnvironment environment;
  private final DiskRowSet rowSet;
  private final long ancientHistoryMark;
  private final List<Runnable> releases = new ArrayList<>();
  private @Nullable RowSetFiles after; // null until the files are written

  /**
   * @param rowSet pinned until this update is closed
   * @param ancientHistoryMark history below it may be dropped; 0 keeps all history
   */
  protected FileReplacement(
      TabletEnvironment environment, DiskRowSet rowSet, long ancientHistoryMark) {
    this.environment = environment;
    this.rowSet = rowSet;
    this.ancientHistoryMark = ancientHistoryMark;
  }

  /** Writes the new files; returns the new set of files of the rowset. */
  protected abstract RowSetFiles replace(NewFiles files) throws IOException;

  protected final TabletEnvironment environment() {
    return environment;
  }

  protected final DiskRowSet rowSet() {
    return rowSet;
  }

  protected final long ancientHistoryMark() {
    return ancientHistoryMark;
  }

  @Override
  public final void writeFiles(NewFiles files) throws IOException {
    after = replace(files);
  }

  /** Syncs a delta file and opens it. */
  protected final DeltaFile finish(DeltaFileWriter writer, Path path) throws IOException {
    environment.crashPoints().reach(CheckpointCrashPoints.BEFORE_DELTA_SYNC);
    writer.finish();
    DeltaFile file = DeltaFile.open(environment, path);
    releases.add(file::release);
    return file;
  }

  /** Registers an action that releases an opened file; {@link #close} runs it. */
  protected final void releaseLater(Runnable release) {
    releases.add(release);
  }

  @Override
  public final void describe(SuperblockPB.Builder superblock) {
    for (RowSetPB.Builder message : superblock.getRowSetsBuilderList()) {
      if (message.getId() == rowSet.id()) {
        RowSetMessages.setFiles(message, filesAfter());
      }
    }
    if (ancientHistoryMark > superblock.getAncientHistoryMark()) {
      superblock.setAncientHistoryMark(ancientHistoryMark);
    }
  }

  @Override
  public final List<DiskRowSet> finishAndListRowSets(List<DiskRowSet> now) {
    List<DiskRowSet> next = new ArrayList<>();
    for (DiskRowSet current : now) {
      next.add(current.id() == rowSet.id() ? current.withFiles(filesAfter()) : current);
    }
    return next;
  }

  private RowSetFiles filesAfter() {
    return Objects.requireNonNull(after, "the files are written first");
  }

  @Override
  public final void close() {
    releases.forEach(Runnable::run);
    releases.clear();
  }
}
