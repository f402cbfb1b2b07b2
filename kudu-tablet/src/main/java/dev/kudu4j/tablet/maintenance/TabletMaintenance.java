package dev.kudu4j.tablet.maintenance;

import dev.kudu4j.tablet.TabletStatistics;
import dev.kudu4j.tablet.apply.TabletState;
import dev.kudu4j.tablet.checkpoint.StoreChanges;
import dev.kudu4j.tablet.compaction.delta.DeltaPolicy;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.delta.DeltaFileWriter;
import dev.kudu4j.tablet.env.TabletEnvironment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The maintenance of one tablet: what could be done, and doing it. Thread-safe. */
public final class TabletMaintenance {
  private final StoreChanges store;
  private final TabletState state;
  private final Supplier<TabletStatistics> statistics;
  private final DeltaCompactions deltas;
  private final RowSetCompactions compactions;

  public TabletMaintenance(
      TabletEnvironment environment,
      TabletState state,
      StoreChanges store,
      Supplier<TabletStatistics> statistics) {
    this.store = store;
    this.state = state;
    this.statistics = statistics;
    this.deltas = new DeltaCompactions(environment, store);
    this.compactions = new RowSetCompactions(environment, state, store, deltas);
  }

  /**
   * What is worth doing now, at most one task of each kind, the best of its kind.
   *
   * @param ancientHistoryMark hybrid time; nobody reads below it any more. 0 keeps all history
   * @param budgetBytes most that one task reads
   */
  public List<MaintenanceTask> candidates(long ancientHistoryMark, long budgetBytes) {
    List<MaintenanceTask> tasks = new ArrayList<>();
    TabletStatistics sizes = statistics.get();
    long memory = sizes.memRowSetBytes() + sizes.deltaMemStoreBytes();
    if (memory > 0) {
      tasks.add(new FlushTask(store, memory));
    }
    Components now = state.components().pinIfOpen();
    if (now == null) {
      return List.of();
    }
    try {
      deltas.addCandidates(now, ancientHistoryMark, budgetBytes, tasks);
      compactions.addCandidates(now, ancientHistoryMark, budgetBytes, tasks);
    } finally {
      now.unpin();
    }
    return tasks;
  }

  /** Where the DiskRowSets lie now; none of a tablet that is closed. */
  public RowSetLayout layout() {
    Components now = state.components().pinIfOpen();
    if (now == null) {
      return RowSetLayout.EMPTY;
    }
    try {
      return RowSetLayout.of(now);
    } finally {
      now.unpin();
    }
  }

  /**
   * Merges these rowsets, whatever that is worth.
   *
   * @return false when one of them is not there any more
   */
  public boolean compactRowSets(List<Long> rowSetIds, long ancientHistoryMark) throws IOException {
    return compactions.compact(rowSetIds, ancientHistoryMark);
  }

  /**
   * Makes one delta file of some neighbours of a rowset, whatever that is worth: a minor delta
   * compaction.
   *
   * @param first index of the oldest, from 0
   * @return false when they are not there any more
   */
  public boolean mergeDeltas(
      long rowSetId, DeltaFileWriter.Kind kind, int first, int count, long ancientHistoryMark)
      throws IOException {
    return deltas.merge(rowSetId, kind, new DeltaPolicy.Range(first, count), ancientHistoryMark);
  }

  /**
   * Writes columns of a rowset anew with their changes, whatever that is worth: a major delta
   * compaction. Keys, which nothing changes, and what has been dropped are left out.
   *
   * @return false when nothing was left to be done
   */
  public boolean rewriteColumns(long rowSetId, List<Integer> columnIds, long ancientHistoryMark)
      throws IOException {
    return deltas.rewrite(rowSetId, columnIds, ancientHistoryMark);
  }

  /**
   * Gives up UNDO files that are older than the mark.
   *
   * @return false when there are none
   */
  public boolean dropHistory(long ancientHistoryMark) throws IOException {
    return compactions.dropHistory(ancientHistoryMark);
  }

  /**
   * Flushes, and then compacts until nothing is left to gain: no overlapping rowsets, no changed
   * cells beside columns, no deleted rows older than the mark.
   */
  public void compactFully(long ancientHistoryMark) throws IOException {
    store.flush();
    compactions.compactFully(ancientHistoryMark);
  }
}
