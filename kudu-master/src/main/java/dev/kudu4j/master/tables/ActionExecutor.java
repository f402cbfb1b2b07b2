package dev.kudu4j.master.tables;

import dev.kudu4j.master.catalog.TabletInfo;
import dev.kudu4j.master.reconcile.Action;
import java.util.function.Supplier;

/**
 * Executes the reconciler's actions: starts the task of each, or has the end of an alteration or a
 * deletion recorded in the catalog. If the task is already under way, starting it only ends its
 * pause before the next attempt.
 */
final class ActionExecutor implements Action.Executor {
  private final TaskRunner runner;
  private final Supplier<TaskContext> context;
  private final TableRemover remover;

  /**
   * @param context supplies the task context, which need not exist until the first action is
   *     executed
   */
  ActionExecutor(TaskRunner runner, Supplier<TaskContext> context, TableRemover remover) {
    this.runner = runner;
    this.context = context;
    this.remover = remover;
  }

  @Override
  public void ensureReplica(String tabletId, String serverUuid) {
    runner.start(new ReplicaTask(context.get(), tabletId, serverUuid));
  }

  @Override
  public void alterSchema(String tabletId) {
    runner.start(new AlterTask(context.get(), tabletId));
  }

  @Override
  public void changeMembership(String tabletId) {
    runner.start(new MembershipTask(context.get(), tabletId));
  }

  @Override
  public void replaceTablet(String tabletId) {
    context.get().replacer().replaceSilent(tabletId);
  }

  @Override
  public void recordCreated(String tabletId, String serverUuid) {
    TabletInfo tablet = context.get().catalog().tablet(tabletId);
    if (tablet != null) {
      context.get().recorder().replicaRuns(tablet, serverUuid);
    }
  }

  @Override
  public void finishTable(String tableId) {
    context.get().recorder().tableMayBeDone(tableId);
  }

  @Override
  public void removeExpired(String tableId) {
    long begun = context.get().observed().nowNanos();
    TableChange removed = remover.removeExpired(tableId);
    TableChangeLog.recorded(removed, Requester.MASTER, context.get().observed().nowNanos() - begun);
  }
}
