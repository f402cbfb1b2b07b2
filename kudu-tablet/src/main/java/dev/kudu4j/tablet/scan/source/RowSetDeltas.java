package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.delta.DeltaMemStore;
import java.util.ArrayList;
import java.util.List;

/** Opens the stores and files of a rowset whose changes matter to a scan. */
final class RowSetDeltas {
  private final CompiledScan plan;
  private final List<DeltaIterator> iterators = new ArrayList<>();

  private RowSetDeltas(CompiledScan plan) {
    this.plan = plan;
  }

  /** The changes of the rowset, in the order in which they apply: from base data outwards. */
  static List<DeltaIterator> of(CompiledScan plan, DiskRowSet rowSet) {
    plan.work().addDeltaFiles(rowSet.redoFiles().size() + rowSet.undoFiles().size());
    RowSetDeltas deltas = new RowSetDeltas(plan);
    deltas.add(rowSet.activeDeltas());
    if (rowSet.frozenDeltas() != null) {
      deltas.add(rowSet.frozenDeltas());
    }
    List<DeltaFile> files = rowSet.redoFiles();
    for (int i = files.size() - 1; i >= 0; i--) {
      deltas.addRedo(files.get(i));
    }
    rowSet.undoFiles().forEach(deltas::addUndo);
    return deltas.iterators;
  }

  private void add(DeltaMemStore store) {
    if (!store.isEmpty() && store.minTimestamp() < plan.snapshot()) {
      iterators.add(DeltaIterator.of(store));
    }
  }

  private void addRedo(DeltaFile file) {
    if (file.minTimestamp() < plan.snapshot() && isRelevant(file)) {
      iterators.add(DeltaIterator.of(file, plan.work()));
    }
  }

  /**
   * Adds an UNDO file if it may matter. A scan of the latest state needs none, because the changes
   * in UNDO files are below its snapshot.
   */
  private void addUndo(DeltaFile file) {
    long from = plan.isDiff() ? plan.diffStart() : plan.snapshot();
    if (file.maxTimestamp() >= from && isRelevant(file)) {
      iterators.add(DeltaIterator.of(file, plan.work()));
    }
  }

  /** Whether a change of the file may matter: a change of liveness or of a scanned column. */
  private boolean isRelevant(DeltaFile file) {
    boolean relevant = plan.isDiff() || file.livenessChangeCount() > 0;
    for (int i = 0; i < plan.columns().count() && !relevant; i++) {
      relevant = file.touchesColumn(plan.columns().column(i).id());
    }
    return relevant;
  }
}
