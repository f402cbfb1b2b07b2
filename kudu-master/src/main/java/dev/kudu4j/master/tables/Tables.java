package dev.kudu4j.master.tables;

import dev.kudu4j.common.proto.master.AlterTableRequestPB;
import dev.kudu4j.common.proto.master.ChangeTServerStateRequestPB;
import dev.kudu4j.common.proto.master.CreateTableRequestPB;
import dev.kudu4j.common.proto.master.DeleteTableRequestPB;
import dev.kudu4j.common.proto.master.RebalanceRequestPB;
import dev.kudu4j.common.proto.master.RebalanceResponsePB;
import dev.kudu4j.common.proto.master.RecallDeletedTableRequestPB;
import dev.kudu4j.common.proto.master.SetColumnStatisticsRequestPB;
import dev.kudu4j.common.proto.master.UnregisterTServerRequestPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.time.TimeSource;
import dev.kudu4j.common.wire.StatusWire;
import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.heartbeat.ReportReader;
import dev.kudu4j.master.heartbeat.ServerRegistry;
import dev.kudu4j.master.observed.ObservedTablets;
import dev.kudu4j.master.reconcile.ClusterView;
import dev.kudu4j.master.reconcile.Reconciler;
import dev.kudu4j.master.reconcile.ReconcilerOptions;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All work of a leading master on tables. A method that changes a table returns when the change is
 * recorded; the tablet servers are brought up to date in the background.
 *
 * <p>Thread-safe. It is closed when the leader session ends. After that it starts nothing more, and
 * the next leader continues the unfinished changes.
 */
public final class Tables implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Tables.class);

  private final Catalog catalog;
  private final ObservedTablets observed;
  private final ServerRegistry servers;
  private final ServerPool pool;
  private final TablesOptions options;
  private final TablesEnvironment environment;
  private final long startMicros;
  private final TaskRunner runner;
  private final TableCreator creator;
  private final TableAlterer alterer;
  private final TableRemover remover;
  private final IndexTables indexTables;
  private final TabletReplacer replacer;
  private final ServerStates serverStates;
  private final ReportReader reports;
  private final ReconcileLoop reconciliation;
  private final Rebalancer rebalancer;
  private final RequestedRebalancing requestedRebalancing;
  private final TaskContext context;
  private volatile boolean closed;

  /**
   * @param observed the observed tablets of this leader session, empty when it begins
   */
  public Tables(
      Catalog catalog,
      ObservedTablets observed,
      ServerRegistry servers,
      TablesOptions options,
      TablesEnvironment environment) {
    this.catalog = catalog;
    this.observed = observed;
    this.servers = servers;
    this.pool = new ServerPool(catalog, servers);
    this.options = options;
    this.environment = environment;
    this.startMicros = environment.time().nowMicros();
    RandomGenerator random = environment.random();
    TimeSource time = environment.time();
    TabletRecords records = new TabletRecords(random, time);
    ReplicationRules replication = options.replication();
    this.creator = new TableCreator(catalog, servers, replication, random, time, records);
    this.remover = new TableRemover(catalog, time);
    this.alterer = new TableAlterer(catalog, servers, replication, random, time, records, remover);
    this.indexTables =
        new IndexTables(catalog, observed, creator, alterer, remover, environment.clock());
    this.replacer =
        new TabletReplacer(catalog, pool, observed, random, records, this::reconcileLater);
    this.serverStates = new ServerStates(catalog, servers, time);
    this.runner = new TaskRunner(environment.delays(), environment.worker(), random);
    ActionExecutor actions = new ActionExecutor(runner, this::context, remover);
    ReconcilerOptions reconciling = options.reconciler();
    ReportRecorder recorder =
        new ReportRecorder(catalog, observed, actions, environment, reconciling.lingerNanos());
    this.reports = new ReportReader(catalog, observed, servers, recorder);
    this.reconciliation =
        new ReconcileLoop(catalog, new Reconciler(reconciling), this::view, actions);
    PresentBalance balance = new PresentBalance(catalog, observed, pool);
    ReplicaMover mover = new ReplicaMover(balance, observed, actions);
    this.rebalancer = new Rebalancer(balance, mover, environment.calls(), options.rebalancing());
    this.requestedRebalancing = new RequestedRebalancing(balance, mover);
    this.context =
        new TaskContext(
            catalog,
            observed,
            servers,
            this::view,
            environment.calls(),
            reports,
            recorder,
            replacer,
            new MemberSelector(catalog, observed, pool, random),
            environment.clock(),
            environment.worker());
  }

  private TaskContext context() {
    return context;
  }

  private ClusterView view() {
    return new ClusterView(
        observed::get,
        pool.view(),
        observed.nowNanos(),
        environment.time().nowMicros(),
        startMicros);
  }

  /**
   * Starts to reconcile, which also continues the unfinished changes of earlier leaders, and to
   * rebalance.
   */
  public void start() {
    work(this::renameMisnamedColumns);
    work(this::reconcileAndRepeat);
    repeat(options.rebalancing().replicaMillis(), rebalancer::moveReplicas);
    repeat(options.rebalancing().leaderMillis(), rebalancer::spreadLeaders);
  }

  private void work(Runnable action) {
    environment.worker().execute(action);
  }

  private void after(long millis, Runnable action) {
    environment.delays().after(millis, () -> work(action));
  }

  private void renameMisnamedColumns() {
    for (TableInfo table : catalog.tables()) {
      ReservedNames.renaming(table).ifPresent(renaming -> rename(table, renaming));
    }
  }

  private void rename(TableInfo table, AlterTableRequestPB renaming) {
    var step = renaming.getAlterSchemaSteps(0).getRenameColumn();
    try {
      TableChange change = alterer.alter(renaming);
      TableChangeLog.recorded(change, Requester.MASTER, 0);
      LOG.warn(
          "Table {} had a column with the reserved name {}; the column is renamed to {}",
          table,
          step.getOldName(),
          step.getNewName());
    } catch (RuntimeException e) {
      LOG.error(
          "Table {} has a column with the reserved name {} that could not be renamed; rename it",
          table,
          step.getOldName(),
          e);
    }
  }

  /** Runs an action on the worker repeatedly, with a pause before each run. */
  private void repeat(long millis, Runnable action) {
    after(
        millis,
        () -> {
          if (closed) {
            return;
          }
          try {
            action.run();
          } catch (RuntimeException e) {
            LOG.error("The cluster could not be rebalanced; the master tries again", e);
          }
          repeat(millis, action);
        });
  }

  private void reconcileAndRepeat() {
    if (closed) {
      return;
    }
    reconcileAll();
    after(options.reconcileMillis(), this::reconcileAndRepeat);
  }

  private void reconcileAll() {
    try {
      if (!closed) {
        servers.logLost();
        catalog.tables().stream()
            .filter(UniqueIndexSteps::areUnfinished)
            .forEach(this::advanceIndexes);
        reconcileIndexTables();
        reconciliation.reconcileAll();
      }
    } catch (RuntimeException e) {
      LOG.error("The tables could not be reconciled; the master tries again", e);
    }
  }

  private void advanceIndexes(TableInfo table) {
    try {
      TableChange change = alterer.advanceIndexes(table.id(), observed);
      TableChangeLog.recorded(change, Requester.MASTER, 0);
    } catch (KuduException e) {
      LOG.warn("The unique indexes of table {} wait: {}", table, e.getMessage());
    }
  }

  private void reconcileIndexTables() {
    if (closed) {
      return;
    }
    try {
      for (TableChange change : indexTables.reconcile()) {
        TableChangeLog.recorded(change, Requester.MASTER, 0);
        reconcile(change.tableId());
      }
    } catch (RuntimeException e) {
      LOG.error("The tables of indexes could not be reconciled; the master tries again", e);
    }
  }

  private void reconcileLater(String tableId) {
    work(() -> reconcile(tableId));
  }

  private void reconcile(String tableId) {
    TableInfo table = catalog.table(tableId);
    if (table != null && !closed) {
      reconciliation.reconcile(table);
    }
  }

  /** The reader of tablet reports. */
  public ReportReader reports() {
    return reports;
  }

  /** Ends the pauses of all tasks that wait for a tablet server, since the server is back. */
  public void serverReturned(String uuid) {
    runner.serverReturned(uuid);
  }

  /** Makes a change, logs it once it is recorded, and reconciles the table. */
  private String change(Requester requester, Supplier<TableChange> work) {
    long begun = observed.nowNanos();
    TableChange change = work.get();
    TableChangeLog.recorded(change, requester, observed.nowNanos() - begun);
    reconcile(change.tableId());
    work(this::reconcileIndexTables);
    return change.tableId();
  }

  /** Records a new table and returns its id. */
  public String create(CreateTableRequestPB request, Requester requester) {
    ReservedNames.checkTable(request);
    return change(requester, () -> creator.create(request, requester.user()));
  }

  /**
   * Whether all tablets of a table run.
   *
   * @throws KuduException with the reason if the table cannot be created
   */
  public boolean isCreateDone(TableInfo table) {
    if (table.hasFailed()) {
      throw StatusWire.fromWire(table.entry().getCreateFailure());
    }
    return table.tabletsInCreation() == 0;
  }

  /** Records an alteration and returns the table's id. */
  public String alter(AlterTableRequestPB request, Requester requester) {
    ReservedNames.checkNewName(request);
    ReservedNames.checkIsUsers(catalog, request.getTable());
    return change(requester, () -> alterer.alter(request));
  }

  /** Records the table of transactions. */
  public void createStatusTable(CreateTableRequestPB request) {
    change(Requester.MASTER, () -> creator.create(request, request.getOwner()));
  }

  /** Adds a tablet to the table of transactions. */
  public void extendStatusTable(AlterTableRequestPB request) {
    change(Requester.MASTER, () -> alterer.alter(request));
  }

  /** Drops or soft-deletes a table, and returns its id. */
  public String delete(DeleteTableRequestPB request, Requester requester) {
    ReservedNames.checkIsUsers(catalog, request.getTable());
    return change(requester, () -> remover.delete(request, options.defaultReserveSeconds()));
  }

  /** Recalls a soft-deleted table and returns its id. */
  public String recall(RecallDeletedTableRequestPB request, Requester requester) {
    return change(requester, () -> remover.recall(request));
  }

  /** Records statistics of columns. */
  public void setColumnStatistics(SetColumnStatisticsRequestPB request, Requester requester) {
    long begun = observed.nowNanos();
    TableChange change = ColumnStatistics.set(catalog, request);
    TableChangeLog.recorded(change, requester, observed.nowNanos() - begun);
  }

  /** Replaces a lost tablet by an empty one, and returns the id of the new one. */
  public String replaceTablet(String tabletId, Requester requester) {
    AtomicReference<String> freshId = new AtomicReference<>();
    change(
        requester,
        () -> {
          TabletReplacer.Replacement replacement = replacer.replaceLost(tabletId);
          freshId.set(replacement.tabletId());
          return replacement.change();
        });
    return freshId.get();
  }

  /** Plans moves of replicas for an even distribution, and begins some of them. */
  public RebalanceResponsePB rebalance(RebalanceRequestPB request, Requester requester) {
    return requestedRebalancing.round(request, requester);
  }

  /** Changes the state of a tablet server, such as maintenance. */
  public void changeServer(ChangeTServerStateRequestPB request) {
    serverStates.change(request);
    work(this::reconcileAll);
  }

  /** Forgets a tablet server that is gone for good. */
  public void unregisterServer(UnregisterTServerRequestPB request) {
    serverStates.unregister(request);
    work(this::reconcileAll);
  }

  /** The number of tasks for tablet servers that are not done. */
  public int pendingTasks() {
    return runner.pending();
  }

  @Override
  public void close() {
    closed = true;
    runner.close();
  }
}
