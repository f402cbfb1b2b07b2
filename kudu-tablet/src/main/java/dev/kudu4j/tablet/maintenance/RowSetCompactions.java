package dev.kudu4j.tablet.maintenance;

import dev.kudu4j.tablet.apply.TabletState;
import dev.kudu4j.tablet.checkpoint.StoreChange;
import dev.kudu4j.tablet.checkpoint.StoreChanges;
import dev.kudu4j.tablet.compaction.HistoryDrop;
import dev.kudu4j.tablet.compaction.RowSetCompaction;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.maintenance.policy.CompactionChoice;
import dev.kudu4j.tablet.maintenance.policy.CompactionPolicy;
import dev.kudu4j.tablet.maintenance.policy.RowSetShape;
import dev.kudu4j.tablet.proto.SuperblockPB;
import dev.kudu4j.tablet.superblock.Superblocks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Which rowsets of a tablet to merge or to write anew, and doing it. Thread-safe. */
final class RowSetCompactions {
  /** A rowset is written anew when that share of it is dead rows or old history. */
  private static final double LEAST_SHARE = 0.2;

  private final TabletEnvironment environment;
  private final TabletState state;
  private final StoreChanges store;

  RowSetCompactions(TabletEnvironment environment, TabletState state, StoreChanges store) {
    this.environment = environment;
    this.state = state;
    this.store = store;
  }

  // What is worth doing

  /** Adds the best merge, and the best collection of history. */
  void addCandidates(
      Components now, long wantedMark, long budgetBytes, List<MaintenanceTask> tasks) {
    long mark = mark(now, wantedMark);
    List<RowSetShape> shapes = RowSetShapes.of(now, mark);
    CompactionChoice choice =
        CompactionPolicy.choose(shapes, budgetBytes, environment.options().rowSetBytes());
    if (choice.rowSets().size() > 1) {
      tasks.add(mergeTask(now, shapes, choice, mark));
    }
    MaintenanceTask collection = collection(now, shapes, mark, budgetBytes);
    if (collection != null) {
      tasks.add(collection);
    }
  }

  private MaintenanceTask mergeTask(
      Components now, List<RowSetShape> shapes, CompactionChoice choice, long mark) {
    List<Long> ids = new ArrayList<>();
    long freed = 0;
    for (int i : choice.rowSets()) {
      ids.add(now.rowSets().get(i).id());
      freed += ancientBytes(now.rowSets().get(i), shapes.get(i), mark);
    }
    return new RowSetCompactionTask(
        this,
        MaintenanceTask.Kind.ROWSET_COMPACTION,
        ids,
        mark,
        Math.max(choice.heightReduction(), choice.gain()),
        freed,
        choice.bytes());
  }

  private MaintenanceTask collection(
      Components now, List<RowSetShape> shapes, long mark, long budgetBytes) {
    long droppable = HistoryDrop.bytes(now.rowSets(), mark);
    if (droppable > 0) {
      return new DropHistoryTask(this, mark, droppable);
    }
    int best = -1;
    long mostFreed = 0;
    for (int i = 0; i < shapes.size(); i++) {
      long freed = ancientBytes(now.rowSets().get(i), shapes.get(i), mark);
      boolean pays = freed >= LEAST_SHARE * shapes.get(i).bytes();
      if (pays && freed > mostFreed && shapes.get(i).bytes() <= budgetBytes) {
        best = i;
        mostFreed = freed;
      }
    }
    return best < 0
        ? null
        : new RowSetCompactionTask(
            this,
            MaintenanceTask.Kind.HISTORY_COLLECTION,
            List.of(now.rowSets().get(best).id()),
            mark,
            0,
            mostFreed,
            shapes.get(best).bytes());
  }

  private static long ancientBytes(DiskRowSet rowSet, RowSetShape shape, long mark) {
    long rows = (long) (rowSet.base().fileBytes() * ((double) shape.ancientRows() / shape.rows()));
    return rows + RowSetShapes.ancientUndoBytes(rowSet, mark);
  }

  /**
   * The mark that counts: never below the one collected up to, and never above the snapshot that
   * sees all that is on disk, which is always readable.
   */
  private static long mark(Components now, long wanted) {
    long highest = 0;
    for (DiskRowSet rowSet : now.rowSets()) {
      highest = Math.max(highest, maxTimestamp(rowSet));
    }
    return Math.max(now.ancientHistoryMark(), Math.min(wanted, highest + 1));
  }

  private static long maxTimestamp(DiskRowSet rowSet) {
    long highest = rowSet.base().maxInsertTimestamp();
    for (var file : rowSet.redoFiles()) {
      highest = Math.max(highest, file.maxTimestamp());
    }
    for (var file : rowSet.undoFiles()) {
      highest = Math.max(highest, file.maxTimestamp());
    }
    return highest;
  }

  // Doing it

  /** Merges the rowsets if they are all still there. */
  boolean compact(List<Long> rowSetIds, long mark) throws IOException {
    return store.run((now, superblock) -> plan(now, superblock, rowSetIds, mark));
  }

  private StoreChange plan(
      Components now, SuperblockPB superblock, List<Long> rowSetIds, long mark) {
    List<DiskRowSet> inputs =
        now.rowSets().stream().filter(rowSet -> rowSetIds.contains(rowSet.id())).toList();
    if (inputs.size() < rowSetIds.size() || inputs.isEmpty()) {
      return null;
    }
    return new RowSetCompaction(
        environment, state, inputs, Superblocks.descriptor(superblock).schema(), mark(now, mark));
  }

  boolean dropHistory(long mark) throws IOException {
    return store.run(
        (now, superblock) ->
            HistoryDrop.bytes(now.rowSets(), mark(now, mark)) == 0
                ? null
                : new HistoryDrop(now.rowSets(), mark(now, mark)));
  }

  /**
   * Merges what overlaps or is small beside others, and writes anew what has changes beside its
   * base data or history below the mark.
   */
  void compactFully(long wantedMark) throws IOException {
    List<List<Long>> groups = new ArrayList<>();
    long mark;
    Components now = state.components().pin();
    try {
      mark = mark(now, wantedMark);
      for (List<DiskRowSet> group : groups(now.rowSets())) {
        if (group.size() > 1 || isWorthRewriting(group.get(0), mark)) {
          groups.add(group.stream().map(DiskRowSet::id).toList());
        }
      }
    } finally {
      now.unpin();
    }
    for (List<Long> group : groups) {
      compact(group, mark);
    }
  }

  private static boolean isWorthRewriting(DiskRowSet rowSet, long mark) {
    boolean changed =
        !rowSet.onDisk().columnFiles().isEmpty()
            || rowSet.undoFiles().stream().anyMatch(file -> file.minTimestamp() < mark)
            || rowSet.redoFiles().stream().anyMatch(file -> file.minTimestamp() < mark);
    // Deletions that somebody may still ask about stay beside the base data.
    return changed
        || rowSet.redoFiles().stream().anyMatch(file -> file.count() > file.livenessChangeCount());
  }

  /** Rowsets that overlap belong together; and neighbours that make one rowset of full size. */
  private List<List<DiskRowSet>> groups(List<DiskRowSet> rowSets) {
    List<List<DiskRowSet>> groups = new ArrayList<>();
    byte[] largest = null;
    long bytes = 0;
    for (DiskRowSet rowSet : rowSets) { // by smallest key
      long more = rowSet.onDisk().bytes();
      boolean overlaps =
          largest != null && Arrays.compareUnsigned(rowSet.base().minKey(), largest) <= 0;
      if (!overlaps && (largest == null || bytes + more > environment.options().rowSetBytes())) {
        groups.add(new ArrayList<>());
        bytes = 0;
      }
      groups.get(groups.size() - 1).add(rowSet);
      bytes += more;
      boolean larger =
          largest == null || Arrays.compareUnsigned(rowSet.base().maxKey(), largest) > 0;
      largest = larger ? rowSet.base().maxKey() : largest;
    }
    return groups;
  }
}
