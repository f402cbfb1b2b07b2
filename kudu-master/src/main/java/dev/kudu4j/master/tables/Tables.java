package dev.kudu4j.master.tables;

import dev.kudu4j.common.proto.master.AlterTableRequestPB;
import dev.kudu4j.common.proto.master.ChangeTServerStateRequestPB;
import dev.kudu4j.common.proto.master.CreateTableRequestPB;
import dev.kudu4j.common.proto.master.DeleteTableRequestPB;
import dev.kudu4j.common.proto.master.RecallDeletedTableRequestPB;
import dev.kudu4j.common.proto.master.UnregisterTServerRequestPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.time.TimeSource;
import dev.kudu4j.common.wire.StatusWire;
import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.heartbeat.ReportReader;
import dev.kudu4j.master.heartbeat.ServerRegistry;
import dev.kudu4j.master.observed.ObservedTablets;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a leader does about tables. The methods that change one return when the change is recorded;
 * the tablet servers follow in the background.
 *
 * <p>Thread-safe. Closed when the leader's session ends: nothing is started after that, and what is
 * under way is carried on by the next leader.
 */
public final class Tables implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Tables.class);

  private final Catalog catalog;
  private final ServerRegistry servers;
  private final TablesOptions options;
  private final Delays delays;
  private final Executor worker;
  private final TaskRunner runner;
  private final TableCreator creator;
  private final TableAlterer alterer;
  private final TableRemover remover;
  private final TabletReplacer replacer;
  private final ServerStates serverStates;
  private final ReportReader reports;
  private final Sweeper sweeper;
  private final TaskContext context;
  private final Memberships memberships;
  private final AskedChanges askedChanges;
  private final Rebalancer rebalancer;
  private volatile boolean closed;

  /**
   * @param worker runs one thing at a time; may block for as long as the catalog's store writes
   */
  public Tables(
      Catalog catalog,
      ObservedTablets observed,
      ServerRegistry servers,
      TabletServerCalls calls,
      TablesOptions options,
      RandomGenerator random,
      TimeSource time,
      LongSupplier nanoClock,
      Delays delays,
      Executor worker) {
    this.catalog = catalog;
    this.servers = servers;
    this.options = options;
    this.delays = delays;
    this.worker = worker;
    TabletRecords records = new TabletRecords(random, time);
    Creations creations = new Creations();
    Deletions deletions = new Deletions(nanoClock, options.lingerMillis());
    Tombstones tombstones = new Tombstones();
    this.askedChanges = new AskedChanges(nanoClock);
    Moves moves = new Moves(nanoClock);
    ServerPool pool = new ServerPool(catalog, servers);
    this.memberships = new Memberships(catalog, observed, pool, moves, random);
    this.rebalancer =
        new Rebalancer(
            catalog, observed, pool, moves, calls, options.rebalancing(), this::startMembership);
    ReplicationRules replication = options.replication();
    this.runner = new TaskRunner(delays, worker, random);
    this.creator = new TableCreator(catalog, servers, replication, random, time, records);
    this.alterer = new TableAlterer(catalog, servers, replication, random, time, records);
    this.remover = new TableRemover(catalog, time);
    this.serverStates = new ServerStates(catalog, servers, time);
    ReportRecorder progress =
        new ReportRecorder(
            catalog,
            observed,
            creations,
            deletions,
            tombstones,
            worker,
            this::startReplica,
            this::startAlteration,
            this::startMembership);
    this.reports = new ReportReader(catalog, observed, servers, progress, nanoClock);
    this.replacer =
        new TabletReplacer(
            catalog,
            servers,
            random,
            time,
            options.creationPatienceMillis(),
            records,
            this::sweepLater);
    this.context =
        new TaskContext(
            catalog,
            observed,
            servers,
            calls,
            creations,
            deletions,
            tombstones,
            askedChanges,
            reports,
            progress,
            replacer);
    this.sweeper =
        new Sweeper(
            catalog,
            observed,
            creations,
            deletions,
            tombstones,
            servers,
            progress,
            this::startReplica,
            this::startAlteration,
            memberships,
            this::startMembership,
            replacer,
            remover);
  }

  private void startReplica(String tabletId, String serverUuid) {
    runner.start(new ReplicaTask(context, tabletId, serverUuid));
  }

  private void startAlteration(String tabletId) {
    runner.start(new AlterTask(context, tabletId));
  }

  private void startMembership(String tabletId) {
    runner.start(new MembershipTask(context, memberships, askedChanges, worker, tabletId));
  }

  /** Takes up what an earlier leader left, and goes on looking. */
  public void start() {
    worker.execute(this::renameMisnamedColumns);
    worker.execute(this::sweepAndGoOn);
    repeat(options.rebalancing().replicaMillis(), rebalancer::moveReplicas);
    repeat(options.rebalancing().leaderMillis(), rebalancer::spreadLeaders);
  }

  private void renameMisnamedColumns() {
    for (TableInfo table : catalog.tables()) {
      ReservedNames.renaming(table).ifPresent(renaming -> rename(table, renaming));
    }
  }

  private void rename(TableInfo table, AlterTableRequestPB renaming) {
    var step = renaming.getAlterSchemaSteps(0).getRenameColumn();
    try {
      alterer.alter(renaming);
      LOG.warn(
          "Table {} had a column of the reserved name {}; it is called {} now",
          table,
          step.getOldName(),
          step.getNewName());
    } catch (RuntimeException e) {
      LOG.error(
          "Table {} has a column of the reserved name {}, which could not be changed; rename it",
          table,
          step.getOldName(),
          e);
    }
  }

  /** Runs an action on the worker again and again, for the first time after one pause. */
  private void repeat(long millis, Runnable action) {
    delays.after(
        millis,
        () ->
            worker.execute(
                () -> {
                  if (closed) {
                    return;
                  }
                  try {
                    action.run();
                  } catch (RuntimeException e) {
                    LOG.error("The cluster could not be kept even; trying again", e);
                  }
                  repeat(millis, action);
                }));
  }

  private void sweepAndGoOn() {
    if (closed) {
      return;
    }
    sweepOnce();
    delays.after(options.sweepMillis(), () -> worker.execute(this::sweepAndGoOn));
  }

  private void sweepOnce() {
    try {
      if (!closed) {
        servers.logDead();
        sweeper.sweep();
      }
    } catch (RuntimeException e) {
      LOG.error("The tables could not be looked after; trying again", e);
    }
  }

  private void sweepLater(String tableId) {
    worker.execute(() -> sweep(tableId));
  }

  private void sweep(String tableId) {
    TableInfo table = catalog.table(tableId);
    if (table != null && !closed) {
      sweeper.sweep(table);
    }
  }

  /** Takes what tablet servers report. */
  public ReportReader reports() {
    return reports;
  }

  /** A tablet server is there again: what waits for it need not wait any longer. */
  public void serverReturned(String uuid) {
    runner.serverReturned(uuid);
  }

  /** Records a new table and returns its id. */
  public String create(CreateTableRequestPB request, String user) {
    String id = creator.create(request, user);
    sweep(id);
    return id;
  }

  /**
   * Whether all tablets of a table have run.
   *
   * @throws KuduException why the table cannot be created
   */
  public boolean isCreateDone(TableInfo table) {
    if (table.hasFailed()) {
      throw StatusWire.fromWire(table.entry().getCreateFailure());
    }
    return table.tabletsInCreation() == 0;
  }

  /** Records an alteration and returns the table's id. */
  public String alter(AlterTableRequestPB request) {
    String id = alterer.alter(request);
    sweep(id);
    return id;
  }

  /** Drops a table, for good or for a while, and returns its id. */
  public String delete(DeleteTableRequestPB request) {
    String id = remover.delete(request, options.defaultReserveSeconds());
    sweep(id);
    return id;
  }

  /** Takes a softly deleted table back and returns its id. */
  public String recall(RecallDeletedTableRequestPB request) {
    String id = remover.recall(request);
    sweep(id);
    return id;
  }

  /** Puts an empty tablet in the place of a lost one, and returns its id. */
  public String replaceTablet(String tabletId) {
    String id = replacer.replaceLost(tabletId);
    sweep(catalog.tablet(id).tableId());
    return id;
  }

  /** Treats a tablet server in another way from now on. */
  public void changeServer(ChangeTServerStateRequestPB request) {
    serverStates.change(request);
    worker.execute(this::sweepOnce);
  }

  /** Forgets a tablet server that is gone. */
  public void unregisterServer(UnregisterTServerRequestPB request) {
    serverStates.unregister(request);
    worker.execute(this::sweepOnce);
  }

  /** Requests to tablet servers that are not done. */
  public int pendingTasks() {
    return runner.pending();
  }

  @Override
  public void close() {
    closed = true;
    runner.close();
  }
}
