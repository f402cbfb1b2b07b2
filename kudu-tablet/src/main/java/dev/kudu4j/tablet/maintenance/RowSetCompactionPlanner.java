package dev.kudu4j.tablet.maintenance;

import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.apply.AppliedState;
import dev.kudu4j.tablet.checkpoint.StoreUpdate;
import dev.kudu4j.tablet.checkpoint.StoreUpdater;
import dev.kudu4j.tablet.compaction.RowSetCompaction;
import dev.kudu4j.tablet.compaction.UndoDeltaGc;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.maintenance.policy.CompactionChoice;
import dev.kudu4j.tablet.maintenance.policy.CompactionPolicy;
import dev.kudu4j.tablet.maintenance.policy.RowSetShape;
import dev.kudu4j.tablet.proto.SuperblockPB;
import dev.kudu4j.tablet.superblock.SuperblockMessages;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Chooses rowsets of a tablet to merge or to rewrite, and runs these compactions. Thread-safe. */
final class RowSetCompactionPlanner {
  /**
   * A rowset is rewritten if dead rows and dropped columns are at least this share of its bytes. A
   * row is dead if it was deleted before the ancient history mark.
   */
  private static final double MIN_SHARE = 0.2;

  /**
   * A rowset is also rewritten if dead rows, dropped columns and ancient history are together at
   * least this share of its bytes. History constantly becomes ancient: with a lower share, a
   * constantly updated rowset would be rewritten too often.
   */
  private static final double MIN_SHARE_WITH_HISTORY = 0.5;

  private final TabletEnvironment environment;
  private final AppliedState state;
  private final StoreUpdater store;
  private final DeltaCompactionPlanner deltas;

  RowSetCompactionPlanner(
      TabletEnvironment environment,
      AppliedState state,
      StoreUpdater store,
      DeltaCompactionPlanner deltas) {
    this.environment = environment;
    this.state = state;
    this.store = store;
    this.deltas = deltas;
  }

  // Candidates.

  /** Adds the best merge and the best history collection, if they are worthwhile. */
  void addCandidates(
      Components now, long wantedMark, long budgetBytes, List<MaintenanceTask> tasks) {
    long mark = AncientHistoryMark.of(now, wantedMark);
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
      freed += uselessBytes(now, i, shapes.get(i), mark);
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

  private @Nullable MaintenanceTask collection(
      Components now, List<RowSetShape> shapes, long mark, long budgetBytes) {
    long droppable = UndoDeltaGc.bytes(now.rowSets(), mark);
    int best = -1;
    long maxFreed = droppable; // dropping UNDO files costs nothing, so a rewrite must free more
    for (int i = 0; i < shapes.size(); i++) {
      long freed = uselessBytes(now, i, shapes.get(i), mark);
      if (paysToRewrite(now, i, shapes.get(i), freed)
          && freed > maxFreed
          && shapes.get(i).bytes() <= budgetBytes) {
        best = i;
        maxFreed = freed;
      }
    }
    if (best < 0) {
      return droppable > 0 ? new UndoDeltaGcTask(this, mark, droppable) : null;
    }
    return new RowSetCompactionTask(
        this,
        MaintenanceTask.Kind.HISTORY_COLLECTION,
        List.of(now.rowSets().get(best).id()),
        mark,
        0,
        maxFreed,
        shapes.get(best).bytes());
  }

  private static boolean paysToRewrite(
      Components now, int index, RowSetShape shape, long freedBytes) {
    return deadBytes(now, index, shape) >= MIN_SHARE * shape.bytes()
        || freedBytes >= MIN_SHARE_WITH_HISTORY * shape.bytes();
  }

  /** The size of dead rows, ancient history and dropped columns. */
  private static long uselessBytes(Components now, int index, RowSetShape shape, long mark) {
    return Math.min(
        shape.bytes(),
        deadBytes(now, index, shape)
            + RowSetShapes.ancientUndoBytes(now.rowSets().get(index), mark));
  }

  /** The size of dead rows and dropped columns. */
  private static long deadBytes(Components now, int index, RowSetShape shape) {
    DiskRowSet rowSet = now.rowSets().get(index);
    long rows = (long) (rowSet.base().fileBytes() * ((double) shape.ancientRows() / shape.rows()));
    return rows + RowSetShapes.droppedBytes(rowSet, now.schema());
  }

  // Execution.

  /** Merges the rowsets if all of them still exist. */
  boolean compact(List<Long> rowSetIds, long mark) throws IOException {
    return store.run((now, superblock) -> plan(now, superblock, rowSetIds, mark));
  }

  /** Rewrites rowsets. Flushes first, because the superblock must have the current schema. */
  boolean collect(List<Long> rowSetIds, long mark) throws IOException {
    store.flush();
    return compact(rowSetIds, mark);
  }

  private @Nullable StoreUpdate plan(
      Components now, SuperblockPB superblock, List<Long> rowSetIds, long mark) {
    List<DiskRowSet> inputs =
        now.rowSets().stream().filter(rowSet -> rowSetIds.contains(rowSet.id())).toList();
    if (inputs.size() < rowSetIds.size() || inputs.isEmpty()) {
      return null;
    }
    return new RowSetCompaction(
        environment,
        state,
        inputs,
        SuperblockMessages.descriptor(superblock).withIndexesOf(state.descriptor()),
        AncientHistoryMark.of(now, mark));
  }

  boolean dropHistory(long mark) throws IOException {
    return store.run(
        (now, superblock) ->
            UndoDeltaGc.bytes(now.rowSets(), AncientHistoryMark.of(now, mark)) == 0
                ? null
                : new UndoDeltaGc(now.rowSets(), AncientHistoryMark.of(now, mark)));
  }

  /**
   * Merges rowsets that overlap or are small, and rewrites rowsets with dead rows older than the
   * mark or with dropped columns. In all other rowsets, rewrites only the columns with changes and
   * merges the delta files.
   */
  void compactFully(long wantedMark) throws IOException {
    List<List<Long>> merges = new ArrayList<>();
    List<Long> others = new ArrayList<>();
    Components now = state.components().pin();
    try {
      long mark = AncientHistoryMark.of(now, wantedMark);
      for (List<DiskRowSet> group : groups(now.rowSets())) {
        if (group.size() > 1 || isWorthRewriting(group.get(0), now.schema(), mark)) {
          merges.add(group.stream().map(DiskRowSet::id).toList());
        } else {
          others.add(group.get(0).id());
        }
      }
    } finally {
      now.unpin();
    }
    for (List<Long> group : merges) {
      compact(group, wantedMark);
    }
    for (long rowSetId : others) {
      deltas.compactFully(rowSetId, wantedMark);
    }
  }

  private static boolean isWorthRewriting(DiskRowSet rowSet, Schema schema, long mark) {
    return RowSetShapes.ancientRows(rowSet, mark) > 0
        || RowSetShapes.droppedBytes(rowSet, schema) > 0;
  }

  /** Groups overlapping rowsets, and adjacent rowsets that fit into one rowset of full size. */
  private List<List<DiskRowSet>> groups(List<DiskRowSet> rowSets) {
    List<List<DiskRowSet>> groups = new ArrayList<>();
    byte @Nullable [] largest = null;
    long bytes = 0;
    for (DiskRowSet rowSet : rowSets) { // sorted by smallest key
      long more = rowSet.onDisk().dataBytes();
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
