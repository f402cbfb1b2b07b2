package dev.kudu4j.master;

import dev.kudu4j.common.proto.masters.CopyCatalogRequestPB;
import dev.kudu4j.common.proto.masters.CopyCatalogResponsePB;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcService;
import dev.kudu4j.common.status.Failures;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.catalog.CatalogTablet;
import dev.kudu4j.master.directory.TabletDirectory;
import dev.kudu4j.master.group.CatalogBootstrap;
import dev.kudu4j.master.group.CatalogCopyTarget;
import dev.kudu4j.master.group.CatalogGroup;
import dev.kudu4j.master.group.MasterChanges;
import dev.kudu4j.master.group.MasterPeerService;
import dev.kudu4j.master.group.MasterPeers;
import dev.kudu4j.master.heartbeat.LocationCommand;
import dev.kudu4j.master.heartbeat.Locations;
import dev.kudu4j.master.heartbeat.ServerRegistry;
import dev.kudu4j.master.observed.ObservedTablets;
import dev.kudu4j.master.pages.MasterMetrics;
import dev.kudu4j.master.pages.MasterPages;
import dev.kudu4j.master.service.LeaderSession;
import dev.kudu4j.master.service.MasterLeadership;
import dev.kudu4j.master.service.MasterService;
import dev.kudu4j.master.tables.RpcTabletServerCalls;
import dev.kudu4j.master.tables.Tables;
import dev.kudu4j.master.tables.TablesEnvironment;
import dev.kudu4j.master.tables.TabletServerCalls;
import dev.kudu4j.master.transactions.StatusTableKeeper;
import dev.kudu4j.master.transactions.TransactionManager;
import dev.kudu4j.master.transactions.TransactionOptions;
import dev.kudu4j.server.flags.Flags;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.flags.ServerOptions;
import dev.kudu4j.server.leaders.CoordinatorClient;
import dev.kudu4j.server.leaders.LeadingMaster;
import dev.kudu4j.server.leaders.TabletLeaders;
import dev.kudu4j.server.maintenance.MaintainedTablet;
import dev.kudu4j.server.maintenance.MaintenanceOptions;
import dev.kudu4j.server.maintenance.MaintenancePage;
import dev.kudu4j.server.maintenance.MaintenanceScheduler;
import dev.kudu4j.server.process.JvmShare;
import dev.kudu4j.server.process.ServerPages;
import dev.kudu4j.server.process.ServerProcess;
import dev.kudu4j.server.replica.ReplicaDirectory;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.server.rpc.ServerIdentity;
import dev.kudu4j.tablet.env.ConfinedFileStore;
import dev.kudu4j.tablet.env.CrashPoints;
import dev.kudu4j.tablet.env.LocalFileStore;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.env.TabletOptions;
import j2html.TagCreator;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A master: creates its components and starts them in order. It serves requests as soon as its port
 * is open. The catalog is loaded in the background; until it is loaded, clients get an error that
 * asks them to try again.
 *
 * <pre>
 *   RPC threads   serve requests; a change of a table blocks until the catalog is written
 *   worker        acts on responses and reports of tablet servers, one task at a time
 *   loader        opens, loads and flushes the catalog
 *   locator       runs the operator's command that finds the location of a host
 *   timer         starts delayed tasks; never blocks
 * </pre>
 */
public final class Master implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Master.class);
  private static final long CLUSTER_ID_PAUSE_MILLIS = 500;

  private final ServerProcess process;
  private final SecureRandom random = new SecureRandom();
  private final ExecutorService worker =
      Executors.newSingleThreadExecutor(daemonThreads("master-worker"));
  private final ExecutorService loader =
      Executors.newSingleThreadExecutor(daemonThreads("master-loader"));
  private final ExecutorService locator =
      Executors.newSingleThreadExecutor(daemonThreads("master-locator"));
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(daemonThreads("master-timer"));
  private final RpcClient client;
  private final TabletServerCalls calls;
  private final BufferAllocator memory;
  private final Locations locations;
  private final ServerRegistry servers;
  private final MasterLeadership leadership;
  private final CatalogRoleListener roles;
  private final MasterPeers peers;
  private final CatalogBootstrap bootstrap;
  private final CatalogGroup group;
  private final CompletableFuture<Void> opened = new CompletableFuture<>();
  private volatile CatalogTablet catalogTablet;
  private volatile MaintainedTablet maintained;

  private Master(ServerProcess process) {
    this.process = process;
    this.client = process.newPeerClient();
    this.calls = new RpcTabletServerCalls(client);
    this.memory = process.memory().data().newChildAllocator("catalog", 0, Long.MAX_VALUE);
    process.onClose(memory);
    this.locations = locations();
    this.servers =
        new ServerRegistry(
            System::nanoTime, process.flags().get(MasterOptions.TSERVER_UNRESPONSIVE), locations);
    this.leadership = new MasterLeadership(this::openSession, this::load, this::after);
    this.roles = new CatalogRoleListener(leadership);
    String uuid = process.identity().uuid();
    this.peers = new MasterPeers(MasterOptions.masters(process.flags()), uuid, client);
    this.bootstrap = new CatalogBootstrap(peers, uuid, this::after);
    this.group =
        new CatalogGroup(
            process.identity(),
            peers,
            () -> Optional.ofNullable(catalogTablet).map(CatalogTablet::replica));
    process.onClose(this::closeParts);
  }

  private Locations locations() {
    String command = process.flags().get(MasterOptions.LOCATION_MAPPING_CMD);
    return command.isBlank() ? Locations.none() : new LocationCommand(command, locator);
  }

  private static ThreadFactory daemonThreads(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  /**
   * Opens a master that serves requests immediately and loads the catalog in the background.
   *
   * @throws KuduException with a message for the user
   */
  public static Master start(Flags flags) {
    return start(flags, JvmShare.whole());
  }

  /**
   * Opens a master in addition to other servers in this JVM.
   *
   * @throws KuduException with a message for the user
   */
  public static Master start(Flags flags, JvmShare share) {
    ServerProcess process = ServerProcess.open(flags, share);
    try {
      Master master = new Master(process);
      master.serve();
      return master;
    } catch (RuntimeException e) {
      process.close();
      throw e;
    }
  }

  private void serve() {
    addPages();
    process.health().waitFor("the catalog to open", opened);
    process.startup().watch("Open the catalog", opened);
    MaintenanceScheduler maintenance = maintenance();
    CatalogOpener opener =
        new CatalogOpener(
            process.files(),
            this::environment,
            process.identity().rpcAddresses().get(0),
            peers,
            bootstrap,
            roles,
            this::load);
    process.start(
        new CatalogReplica(),
        new CatalogCopyTarget(peers, ServerIdentity.toWire(process.identity().raft()), opener),
        services());
    opener.opened().whenComplete(this::catalogOpened);
    process
        .replicas()
        .whenComplete(
            (replicas, failure) -> {
              if (failure == null) {
                opener.begin(replicas);
                peers.findAll(this::after);
              } else {
                opened.completeExceptionally(failure);
              }
            });
    maintenance.start();
  }

  private List<RpcService> services() {
    Flags flags = process.flags();
    List<RpcService> services = new ArrayList<>();
    services.add(
        MasterService.of(
            group,
            new MasterChanges(peers, group),
            leadership,
            servers,
            locations,
            process.clock(),
            flags));
    services.add(
        new MasterPeerService(
                process.identity(),
                bootstrap::found,
                group::voters,
                this::catalogCopy,
                statusTables(flags)::ensure)
            .service());
    if (flags.get(TransactionOptions.ENABLED)) {
      services.add(transactions().service());
    }
    return services;
  }

  private StatusTableKeeper statusTables(Flags flags) {
    return new StatusTableKeeper(
        leadership,
        servers,
        () ->
            flags.get(TransactionOptions.REPLICAS) > 0
                ? flags.get(TransactionOptions.REPLICAS)
                : flags.get(ServerOptions.DEFAULT_NUM_REPLICAS),
        flags.get(TransactionOptions.SPAN));
  }

  private TransactionManager transactions() {
    LeadingMaster leading = new LeadingMaster(this::masterAddresses, client, timer);
    return new TransactionManager(
        new CoordinatorClient(leading, new TabletLeaders(leading, client, timer)), leading);
  }

  private List<InetSocketAddress> masterAddresses() {
    List<HostPort> all =
        peers.isAlone() ? List.of(process.identity().rpcAddresses().get(0)) : peers.addresses();
    return all.stream()
        .map(each -> InetSocketAddress.createUnresolved(each.host(), each.port()))
        .toList();
  }

  private void addPages() {
    ServerPages pages = process.pages();
    MasterPages ours =
        new MasterPages(
            leadership, servers, group, ServerOptions.pagesAreRedacted(process.flags()));
    ours.pages().forEach(pages::add);
    pages.addTiles(ours::addTiles);
    MasterMetrics measures = new MasterMetrics(leadership, servers);
    pages.addEntities(measures::tables);
    pages.addMeasures(measures::measure);
  }

  private MaintenanceScheduler maintenance() {
    MaintenanceScheduler maintenance =
        new MaintenanceScheduler(
            () -> maintained == null ? List.of() : List.of(maintained),
            MaintenanceOptions.settings(process.flags(), process.memory().budget()),
            process.memory()::isDataShort,
            System::nanoTime);
    process.pages().add(MaintenancePage.of(maintenance, TagCreator::text));
    process.pages().addMeters(maintenance.meters()::publish);
    process.onClose(maintenance);
    return maintenance;
  }

  /**
   * Completes when the catalog's tablet is open. Fails when it cannot be opened; the master does
   * not try again.
   */
  public CompletableFuture<Void> opened() {
    return opened;
  }

  public ServerProcess process() {
    return process;
  }

  public MasterLeadership leadership() {
    return leadership;
  }

  private void catalogOpened(CatalogTablet catalog, Throwable failure) {
    if (failure != null) {
      LOG.error("The catalog cannot be opened", failure);
      opened.completeExceptionally(Failures.unwrap(failure));
      return;
    }
    catalogTablet = catalog;
    maintained = catalog.maintained(process.clock());
    roles.changed(catalog.replica());
    opened.complete(null);
    learnClusterId();
  }

  private CopyCatalogResponsePB catalogCopy(CopyCatalogRequestPB request) {
    CatalogTablet catalog = catalogTablet;
    if (catalog == null) {
      throw KuduException.serviceUnavailable("The catalog is not open here yet");
    }
    return catalog.copy(request, group.voters());
  }

  /**
   * Tries to read the cluster's id from the replica, and repeats this after a pause until the id is
   * known. A follower needs this, since it never loads the catalog.
   */
  private void learnClusterId() {
    if (leadership.clusterId() == null) {
      catalogTablet.clusterId().ifPresent(leadership::learnClusterId);
      after(CLUSTER_ID_PAUSE_MILLIS, () -> load(this::learnClusterId));
    }
  }

  private TabletEnvironment environment(Path directory) {
    return new TabletEnvironment(
        new ConfinedFileStore(new LocalFileStore(), process.files().tabletDirectories()),
        directory,
        memory,
        process.memory().pages(),
        CrashPoints.NONE,
        random,
        System::nanoTime,
        TabletOptions.DEFAULT);
  }

  private LeaderSession openSession(long number, Runnable onFailure) {
    Catalog catalog =
        Catalog.load(
            catalogTablet.store(),
            random,
            process.clock().source().nowMicros(),
            failure -> onFailure.run());
    ObservedTablets observed = new ObservedTablets(System::nanoTime);
    Tables tables =
        new Tables(
            catalog,
            observed,
            servers,
            MasterOptions.tables(process.flags()),
            new TablesEnvironment(
                calls, random, process.clock().source(), process.clock(), this::after, this::work));
    return new LeaderSession(
        number, catalog, observed, new TabletDirectory(catalog, observed, servers), tables);
  }

  private void load(Runnable action) {
    executeUnlessClosed(loader, action);
  }

  private void work(Runnable action) {
    executeUnlessClosed(worker, action);
  }

  private static void executeUnlessClosed(ExecutorService executor, Runnable action) {
    try {
      executor.execute(action);
    } catch (RejectedExecutionException e) {
      LOG.debug("A task was dropped, since the master is closing", e);
    }
  }

  private void after(long delayMillis, Runnable action) {
    try {
      timer.schedule(action, delayMillis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("A task was dropped, since the master is closing", e);
    }
  }

  private void closeParts() {
    leadership.close();
    timer.shutdownNow();
    worker.shutdownNow();
    locator.shutdownNow();
    loader.shutdown();
    try {
      if (!loader.awaitTermination(5, TimeUnit.SECONDS)) {
        LOG.warn("The catalog is still being loaded or flushed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    client.close();
    if (catalogTablet != null) {
      catalogTablet.close();
    }
  }

  @Override
  public void close() {
    process.close();
  }

  /**
   * The replicas of a master, for the services that every daemon has. The replica of the catalog is
   * the only one.
   */
  private final class CatalogReplica implements ReplicaDirectory {
    @Override
    public Optional<TabletReplica> find(String tabletId) {
      return tabletId.equals(CatalogTablet.ID)
          ? Optional.ofNullable(catalogTablet).map(CatalogTablet::replica)
          : Optional.empty();
    }

    @Override
    public Collection<TabletReplica> all() {
      return find(CatalogTablet.ID).map(List::of).orElse(List.of());
    }

    @Override
    public Optional<HostPort> rpcAddress(String serverUuid) {
      return peers.find(serverUuid);
    }
  }
}
