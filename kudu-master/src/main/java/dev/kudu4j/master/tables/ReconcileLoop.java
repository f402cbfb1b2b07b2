package dev.kudu4j.master.tables;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.reconcile.Action;
import dev.kudu4j.master.reconcile.ClusterView;
import dev.kudu4j.master.reconcile.Reconciler;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the reconciler and has its actions executed: after every change of a table, at the start of
 * a leader session, and every second, so that a lost message only causes a delay.
 */
final class ReconcileLoop {
  private static final Logger LOG = LoggerFactory.getLogger(ReconcileLoop.class);

  private final Catalog catalog;
  private final Reconciler reconciler;
  private final Supplier<ClusterView> view;
  private final Action.Executor executor;

  ReconcileLoop(
      Catalog catalog,
      Reconciler reconciler,
      Supplier<ClusterView> view,
      Action.Executor executor) {
    this.catalog = catalog;
    this.reconciler = reconciler;
    this.view = view;
    this.executor = executor;
  }

  void reconcileAll() {
    ClusterView now = view.get();
    for (TableInfo table : catalog.tables()) {
      try {
        reconcile(table, now);
      } catch (KuduException e) {
        LOG.warn("Table {} waits for the next reconciliation: {}", table, e.getMessage());
      }
    }
  }

  void reconcile(TableInfo table) {
    reconcile(table, view.get());
  }

  private void reconcile(TableInfo table, ClusterView now) {
    reconciler.reconcile(table, now).forEach(action -> action.execute(executor));
  }
}
