package dev.kudu4j.tablet.compaction;

import dev.kudu4j.tablet.checkpoint.NewFiles;
import dev.kudu4j.tablet.checkpoint.RowSetMessages;
import dev.kudu4j.tablet.checkpoint.StoreUpdate;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.components.RowSetFiles;
import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.proto.RowSetPB;
import dev.kudu4j.tablet.proto.SuperblockPB;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Drops UNDO files whose changes are all below the ancient history mark; writes no data file. */
public final class UndoDeltaGc implements StoreUpdate {
  private final long mark;

  /** The files that remain, by rowset id; contains only rowsets that lose files. */
  private final Map<Long, RowSetFiles> filesById = new HashMap<>();

  public UndoDeltaGc(List<DiskRowSet> rowSets, long mark) {
    this.mark = mark;
    for (DiskRowSet rowSet : rowSets) {
      RowSetFiles files = rowSet.onDisk();
      List<DeltaFile> kept =
          files.undoFiles().stream().filter(file -> !isAncient(file, mark)).toList();
      if (kept.size() < files.undoFiles().size()) {
        filesById.put(rowSet.id(), files.withUndoFiles(kept));
      }
    }
  }

  /** The size of the files that an update with these arguments drops. */
  public static long bytes(List<DiskRowSet> rowSets, long mark) {
    long bytes = 0;
    for (DiskRowSet rowSet : rowSets) {
      for (DeltaFile file : rowSet.undoFiles()) {
        bytes += isAncient(file, mark) ? file.fileBytes() : 0;
      }
    }
    return bytes;
  }

  private static boolean isAncient(DeltaFile file, long mark) {
    return file.maxTimestamp() < mark;
  }

  @Override
  public void writeFiles(NewFiles files) {}

  @Override
  public void describe(SuperblockPB.Builder superblock) {
    for (RowSetPB.Builder rowSet : superblock.getRowSetsBuilderList()) {
      RowSetFiles files = filesById.get(rowSet.getId());
      if (files != null) {
        RowSetMessages.setFiles(rowSet, files);
      }
    }
    superblock.setAncientHistoryMark(Math.max(mark, superblock.getAncientHistoryMark()));
  }

  @Override
  public List<DiskRowSet> finishAndListRowSets(List<DiskRowSet> now) {
    return now.stream()
        .map(
            rowSet -> {
              RowSetFiles files = filesById.get(rowSet.id());
              return files == null ? rowSet : rowSet.withFiles(files);
            })
        .toList();
  }

  @Override
  public void close() {}
}
