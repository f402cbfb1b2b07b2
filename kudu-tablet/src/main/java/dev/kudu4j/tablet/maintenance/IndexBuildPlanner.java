package dev.kudu4j.tablet.maintenance;

import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.apply.AppliedState;
import dev.kudu4j.tablet.checkpoint.RowSetIndexer;
import dev.kudu4j.tablet.checkpoint.StoreUpdater;
import dev.kudu4j.tablet.compaction.IndexBuild;
import dev.kudu4j.tablet.compaction.IndexRemoval;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.components.RowSetFiles;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.scan.ScanSpec;
import dev.kudu4j.tablet.scan.TabletScanner;
import dev.kudu4j.tablet.scan.TabletScans;
import dev.kudu4j.tablet.scan.index.IndexHint;
import dev.kudu4j.tablet.unique.DuplicateSearch;
import dev.kudu4j.tablet.unique.UniqueChecks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Drops the files of dropped indexes from all rowsets at once; then builds the indexes of rowsets
 * that were written before the index was created, one rowset at a time; then searches for equal
 * rows where an index is to be unique. Thread-safe.
 */
final class IndexBuildPlanner {
  private final TabletEnvironment environment;
  private final AppliedState state;
  private final StoreUpdater store;
  private final UniqueChecks checks;

  /** What a build has left incomplete, because a column is too large to be sorted. */
  private final Set<Refusal> refusals = ConcurrentHashMap.newKeySet();

  /** A rowset that cannot have all files of these indexes. */
  private record Refusal(long rowSetId, List<IndexDefinition> indexes) {}

  IndexBuildPlanner(
      TabletEnvironment environment, AppliedState state, StoreUpdater store, UniqueChecks checks) {
    this.environment = environment;
    this.state = state;
    this.store = store;
    this.checks = checks;
  }

  /**
   * Adds the removal of dropped indexes, or else the build of one rowset, or else one search for
   * equal rows, if there is any to do.
   */
  void addCandidates(Components now, List<MaintenanceTask> tasks) {
    TabletDescriptor tablet = state.descriptor();
    List<IndexDefinition> indexes = tablet.indexes();
    long dropped = droppedBytes(now, tablet);
    if (dropped > 0) {
      tasks.add(new IndexRemovalTask(this, dropped));
      return;
    }
    for (DiskRowSet rowSet : now.rowSets()) {
      if (isIncomplete(rowSet, indexes) && !refusals.contains(new Refusal(rowSet.id(), indexes))) {
        tasks.add(new IndexBuildTask(this, rowSet.id(), rowSet.onDisk().dataBytes()));
        return;
      }
    }
    indexes.stream()
        .filter(this::isUnchecked)
        .findFirst()
        .ifPresent(index -> tasks.add(new UniqueCheckTask(this, index, bytes(now, index))));
  }

  private static long bytes(Components now, IndexDefinition index) {
    long bytes = 0;
    for (DiskRowSet rowSet : now.rowSets()) {
      for (int id : index.columns()) {
        bytes += rowSet.onDisk().columnBytes(id);
      }
    }
    return bytes;
  }

  /**
   * Makes the next pass of a search for equal rows; does nothing if the state of the index no
   * longer asks for it.
   */
  void check(IndexDefinition index) throws IOException {
    TabletDescriptor tablet = state.descriptor();
    if (!tablet.indexes().contains(index) || !isUnchecked(index)) {
      return;
    }
    DuplicateSearch search =
        new DuplicateSearch(
            this::scan, environment.allocator(), index, tablet.schema(), state.liveRows());
    int pass = checks.nextPass(index);
    String found = search.run(pass, environment.options().redacted().getAsBoolean());
    checks.made(index, pass, search.passes(), found);
  }

  /** Rows of a prepared transaction are not there yet, and are applied without a check. */
  private boolean isUnchecked(IndexDefinition index) {
    return !state.transactions().arePrepared()
        && checks.isPending(index)
        && index.isIn(state.descriptor().schema());
  }

  private TabletScanner scan(Schema projection) throws IOException {
    ScanSpec all = ScanSpec.of(projection, state.latestSnapshot()).withIndexHint(IndexHint.NONE);
    Components now = state.components().pin();
    return TabletScans.open(environment, now, now.schema(), all);
  }

  /** The size of the files of dropped indexes. */
  private static long droppedBytes(Components now, TabletDescriptor tablet) {
    long bytes = 0;
    for (DiskRowSet rowSet : now.rowSets()) {
      RowSetFiles files = rowSet.onDisk();
      if (!files.indexFiles().isEmpty()) {
        bytes +=
            files.bytes()
                - RowSetIndexer.withoutDropped(files, tablet.indexes(), tablet.schema()).bytes();
      }
    }
    return bytes;
  }

  /** Drops the files of dropped indexes; does nothing if there are none. */
  void removeDropped() throws IOException {
    TabletDescriptor tablet = state.descriptor();
    store.run((now, superblock) -> IndexRemoval.of(now.rowSets(), tablet));
  }

  /** Builds what the rowset lacks; does nothing if it lacks nothing or no longer exists. */
  void build(long rowSetId) throws IOException {
    TabletDescriptor tablet = state.descriptor();
    List<IndexDefinition> indexes = tablet.indexes();
    boolean built =
        store.run(
            (now, superblock) -> {
              DiskRowSet rowSet = now.rowSet(rowSetId);
              return rowSet != null && isIncomplete(rowSet, indexes)
                  ? new IndexBuild(environment, rowSet, tablet)
                  : null;
            });
    if (built) {
      noteRefusal(rowSetId, indexes);
    }
  }

  private void noteRefusal(long rowSetId, List<IndexDefinition> indexes) {
    Components now = state.components().pinIfOpen();
    if (now == null) {
      return;
    }
    try {
      DiskRowSet rowSet = now.rowSet(rowSetId);
      if (rowSet != null && isIncomplete(rowSet, indexes)) {
        refusals.removeIf(refusal -> now.rowSet(refusal.rowSetId) == null);
        refusals.add(new Refusal(rowSetId, indexes));
      }
    } finally {
      now.unpin();
    }
  }

  /** Drops what is not wanted, builds all rowsets that exist now, and searches for equal rows. */
  void buildAll() throws IOException {
    removeDropped();
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
    for (IndexDefinition index : state.descriptor().indexes()) {
      while (isUnchecked(index)) {
        check(index);
      }
    }
  }

  private boolean isIncomplete(DiskRowSet rowSet, List<IndexDefinition> indexes) {
    return RowSetIndexer.isIncomplete(rowSet.onDisk(), indexes, state.descriptor().schema());
  }
}
