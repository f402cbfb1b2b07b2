package dev.kudu4j.tablet.compaction;

import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.checkpoint.NewFiles;
import dev.kudu4j.tablet.checkpoint.RowSetIndexer;
import dev.kudu4j.tablet.checkpoint.RowSetMessages;
import dev.kudu4j.tablet.checkpoint.StoreUpdate;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.components.RowSetFiles;
import dev.kudu4j.tablet.proto.RowSetPB;
import dev.kudu4j.tablet.proto.SuperblockPB;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Drops the files of indexes that the tablet does not have any more, from all rowsets, in one
 * update. It writes nothing but the superblock, so scans soon use none of these files.
 */
public final class IndexRemoval implements StoreUpdate {
  private final Map<Long, RowSetFiles> after;

  private IndexRemoval(Map<Long, RowSetFiles> after) {
    this.after = after;
  }

  /**
   * The update for these rowsets; null if there is nothing to drop.
   *
   * @param rowSets pinned until the update is closed
   * @param tablet the tablet's current descriptor
   */
  public static @Nullable IndexRemoval of(List<DiskRowSet> rowSets, TabletDescriptor tablet) {
    Map<Long, RowSetFiles> after = new HashMap<>();
    for (DiskRowSet rowSet : rowSets) {
      RowSetFiles files = rowSet.onDisk();
      RowSetFiles kept = RowSetIndexer.withoutDropped(files, tablet.indexes(), tablet.schema());
      if (kept.indexFiles().size() < files.indexFiles().size()) {
        after.put(rowSet.id(), kept);
      }
    }
    return after.isEmpty() ? null : new IndexRemoval(after);
  }

  @Override
  public void writeFiles(NewFiles files) {}

  @Override
  public void describe(SuperblockPB.Builder superblock) {
    for (RowSetPB.Builder message : superblock.getRowSetsBuilderList()) {
      RowSetFiles files = after.get(message.getId());
      if (files != null) {
        RowSetMessages.setFiles(message, files);
      }
    }
  }

  @Override
  public List<DiskRowSet> finishAndListRowSets(List<DiskRowSet> now) {
    return now.stream()
        .map(
            rowSet -> {
              RowSetFiles files = after.get(rowSet.id());
              return files == null ? rowSet : rowSet.withFiles(files);
            })
        .toList();
  }

  @Override
  public void close() {}

  @Override
  public String toString() {
    return "Removal of dropped indexes from %d rowsets".formatted(after.size());
  }
}
