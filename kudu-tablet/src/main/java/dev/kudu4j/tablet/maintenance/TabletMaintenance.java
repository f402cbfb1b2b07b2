package dev.kudu4j.tablet.maintenance;

import dev.kudu4j.common.time.Epochs;
import dev.kudu4j.common.time.HybridTime;
import dev.kudu4j.tablet.TabletStatistics;
import dev.kudu4j.tablet.apply.AppliedState;
import dev.kudu4j.tablet.checkpoint.StoreUpdater;
import dev.kudu4j.tablet.compaction.delta.DeltaCompactionPolicy;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.delta.DeltaFileWriter;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.unique.UniqueChecks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The maintenance of one tablet: lists the candidate tasks, and runs compactions on request.
 * Thread-safe.
 */
public final class TabletMaintenance {
  /**
   * How long a flush for a boundary that the writer did not see waits. Entries that are older than
   * the boundary may still be in flight.
   */
  private static final long FLUSH_DELAY = HybridTime.ofMicros(TimeUnit.SECONDS.toMicros(1));

  private final StoreUpdater store;
  private final AppliedState state;
  private final Supplier<TabletStatistics> statistics;
  private final DeltaCompactionPlanner deltas;
  private final RowSetCompactionPlanner compactions;
  private final IndexBuildPlanner indexes;

  public TabletMaintenance(
      TabletEnvironment environment,
      AppliedState state,
      StoreUpdater store,
      UniqueChecks checks,
      Supplier<TabletStatistics> statistics) {
    this.store = store;
    this.state = state;
    this.statistics = statistics;
    this.deltas = new DeltaCompactionPlanner(environment, state, store);
    this.compactions = new RowSetCompactionPlanner(environment, state, store, deltas);
    this.indexes = new IndexBuildPlanner(environment, state, store, checks);
  }

  /**
   * The best task of each kind. A kind without a worthwhile task is not in the list.
   *
   * @param ancientHistoryMark hybrid time; snapshots below it may become unreadable; 0 keeps all
   *     history
   * @param budgetBytes the maximum number of bytes that one task reads
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
      indexes.addCandidates(now, tasks);
    } finally {
      now.unpin();
    }
    return tasks;
  }

  /**
   * For how long a flush has been due because rows or changes in memory are older than the boundary
   * of an epoch. It is due when the write path has frozen them, or else a second after the boundary
   * if no later entry came or the freeze was skipped.
   *
   * @param now the current hybrid time
   * @return a duration in hybrid time; 0 if no such flush is due
   */
  public long epochDelay(long now) {
    Epochs epochs = state.epochs();
    Components components = state.components().pinIfOpen();
    if (components == null) {
      return 0;
    }
    try {
      if (!epochs.exist()) {
        return components.hasFrozenStores() ? 1 : 0; // frozen before epochs were turned off
      }
      long oldest = components.oldestInMemory();
      long delay = oldest == Long.MAX_VALUE ? 0 : now - epochs.next(oldest);
      return components.hasFrozenStores() ? Math.max(1, delay) : delay < FLUSH_DELAY ? 0 : delay;
    } finally {
      components.unpin();
    }
  }

  /** The current layout of the DiskRowSets; empty if the tablet is closed. */
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
   * Merges the given rowsets regardless of the benefit.
   *
   * @return false if a rowset no longer exists
   */
  public boolean compactRowSets(List<Long> rowSetIds, long ancientHistoryMark) throws IOException {
    return compactions.compact(rowSetIds, ancientHistoryMark);
  }

  /**
   * Merges adjacent delta files of a rowset regardless of the benefit: a minor delta compaction.
   *
   * @param first index of the oldest file, from 0
   * @return false if the rowset no longer exists or has no files at these positions
   */
  public boolean mergeDeltas(
      long rowSetId, DeltaFileWriter.Kind kind, int first, int count, long ancientHistoryMark)
      throws IOException {
    return deltas.merge(
        rowSetId, kind, new DeltaCompactionPolicy.Range(first, count), ancientHistoryMark);
  }

  /**
   * Rewrites columns of a rowset and applies their changes, regardless of the benefit: a major
   * delta compaction. Key columns, which never change, and dropped columns are ignored.
   *
   * @return false if there was nothing to do
   */
  public boolean rewriteColumns(long rowSetId, List<Integer> columnIds, long ancientHistoryMark)
      throws IOException {
    return deltas.rewrite(rowSetId, columnIds, ancientHistoryMark);
  }

  /**
   * Drops the UNDO files whose changes are all older than the mark.
   *
   * @return false if no file was dropped
   */
  public boolean dropHistory(long ancientHistoryMark) throws IOException {
    return compactions.dropHistory(ancientHistoryMark);
  }

  /**
   * Builds all index files that rowsets lack, drops those of dropped indexes, and searches for
   * equal rows of unique indexes.
   */
  public void buildIndexes() throws IOException {
    indexes.buildAll();
  }

  /**
   * Flushes, then compacts completely. Afterwards no rowsets overlap, no REDO file contains changed
   * cells, and no row deleted before the mark is left.
   */
  public void compactFully(long ancientHistoryMark) throws IOException {
    store.flush();
    compactions.compactFully(ancientHistoryMark);
  }
}
