package dev.kudu4j.tablet.maintenance;

import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.apply.AppliedState;
import dev.kudu4j.tablet.checkpoint.RowSetIndexer;
import dev.kudu4j.tablet.checkpoint.StoreUpdater;
import dev.kudu4j.tablet.compaction.IndexBuild;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.env.TabletEnvironment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds the indexes of rowsets that were written before the index was created, one rowset at a
 * time, and drops the files of dropped indexes. Thread-safe.
 */
final class IndexBuildPlanner {
  private final TabletEnvironment environment;
  private final AppliedState state;
  private final StoreUpdater store;

  IndexBuildPlanner(TabletEnvironment environment, AppliedState state, StoreUpdater store) {
    this.environment = environment;
    this.state = state;
    this.store = store;
  }

  /** Adds the build of one rowset if there is any to do. */
  void addCandidates(Components now, List<MaintenanceTask> tasks) {
    for (DiskRowSet rowSet : now.rowSets()) {
      if (isIncomplete(rowSet, state.descriptor())) {
        tasks.add(new IndexBuildTask(this, rowSet.id(), rowSet.onDisk().dataBytes()));
        return;
      }
    }
  }

  /** Builds what the rowset lacks; does nothing if it lacks nothing or no longer exists. */
  void build(long rowSetId) throws IOException {
    store.run(
        (now, superblock) -> {
          TabletDescriptor tablet = state.descriptor();
          for (DiskRowSet rowSet : now.rowSets()) {
            if (rowSet.id() == rowSetId && isIncomplete(rowSet, tablet)) {
              return new IndexBuild(environment, rowSet, tablet);
            }
          }
          return null;
        });
  }

  /** Builds all rowsets that exist now. */
  void buildAll() throws IOException {
    List<Long> ids = new ArrayList<>();
    Components now = state.components().pin();
    try {
      now.rowSets().forEach(rowSet -> ids.add(rowSet.id()));
    } finally {
      now.unpin();
    }
    for (long id : ids) {
      build(id);
    }
  }

  private static boolean isIncomplete(DiskRowSet rowSet, TabletDescriptor tablet) {
    return RowSetIndexer.isIncomplete(rowSet.onDisk(), tablet.indexes(), tablet.schema());
  }
}
