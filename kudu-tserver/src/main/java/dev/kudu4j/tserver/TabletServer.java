package dev.kudu4j.tserver;

import dev.kudu4j.common.proto.cluster.AlterSchemaRequestPB;
import dev.kudu4j.common.proto.cluster.CheckClaimsRequestPB;
import dev.kudu4j.common.proto.cluster.ClaimValuesRequestPB;
import dev.kudu4j.common.proto.cluster.CompactTabletRequestPB;
import dev.kudu4j.common.proto.cluster.CreateTabletRequestPB;
import dev.kudu4j.common.proto.cluster.FlushTabletRequestPB;
import dev.kudu4j.common.proto.cluster.ReadIndexRowsRequestPB;
import dev.kudu4j.common.proto.cluster.VerifyIndexesRequestPB;
import dev.kudu4j.common.proto.common.ServerRegistrationPB;
import dev.kudu4j.common.proto.transactions.CoordinateTransactionRequestPB;
import dev.kudu4j.common.proto.transactions.ParticipantRequestPB;
import dev.kudu4j.common.proto.tserver.ChecksumRequestPB;
import dev.kudu4j.common.proto.tserver.DeleteTabletRequestPB;
import dev.kudu4j.common.proto.tserver.ListTabletsRequestPB;
import dev.kudu4j.common.proto.tserver.PingRequestPB;
import dev.kudu4j.common.proto.tserver.PingResponsePB;
import dev.kudu4j.common.proto.tserver.QuiesceTabletServerRequestPB;
import dev.kudu4j.common.proto.tserver.ReadChangesRequestPB;
import dev.kudu4j.common.proto.tserver.ScanRequestPB;
import dev.kudu4j.common.proto.tserver.ScannerKeepAliveRequestPB;
import dev.kudu4j.common.proto.tserver.SplitKeyRangeRequestPB;
import dev.kudu4j.common.proto.tserver.TabletServerFeatures;
import dev.kudu4j.common.proto.tserver.WriteRequestPB;
import dev.kudu4j.common.rpc.Access;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcService;
import dev.kudu4j.common.rpc.execution.CallCost;
import dev.kudu4j.server.flags.Flags;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.flags.ServerOptions;
import dev.kudu4j.server.leaders.LeadingMaster;
import dev.kudu4j.server.leaders.TabletLeaders;
import dev.kudu4j.server.maintenance.AncientHistory;
import dev.kudu4j.server.maintenance.LayoutMeters;
import dev.kudu4j.server.maintenance.MaintenanceOptions;
import dev.kudu4j.server.maintenance.MaintenancePage;
import dev.kudu4j.server.maintenance.MaintenanceScheduler;
import dev.kudu4j.server.maintenance.RequestedCompactions;
import dev.kudu4j.server.process.JvmShare;
import dev.kudu4j.server.process.ServerPages;
import dev.kudu4j.server.process.ServerProcess;
import dev.kudu4j.server.replica.ReplicaDirectory;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.server.rpc.ServerIdentity;
import dev.kudu4j.server.web.Link;
import dev.kudu4j.tablet.env.ConfinedFileStore;
import dev.kudu4j.tablet.env.CrashPoints;
import dev.kudu4j.tablet.env.FileStore;
import dev.kudu4j.tablet.env.LocalFileStore;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.env.TabletOptions;
import dev.kudu4j.tserver.claim.ClaimCalls;
import dev.kudu4j.tserver.claim.Claims;
import dev.kudu4j.tserver.copy.TabletCopies;
import dev.kudu4j.tserver.derived.IndexFeeds;
import dev.kudu4j.tserver.derived.SourceCalls;
import dev.kudu4j.tserver.feed.ChangeCalls;
import dev.kudu4j.tserver.heartbeat.MasterHeartbeats;
import dev.kudu4j.tserver.heartbeat.ServerAddresses;
import dev.kudu4j.tserver.scan.ChecksumCalls;
import dev.kudu4j.tserver.scan.ReadAhead;
import dev.kudu4j.tserver.scan.ScanCalls;
import dev.kudu4j.tserver.scan.ScanHistory;
import dev.kudu4j.tserver.scan.ScannerRegistry;
import dev.kudu4j.tserver.scan.ScansPage;
import dev.kudu4j.tserver.scan.SplitCalls;
import dev.kudu4j.tserver.tablets.HostedTablet;
import dev.kudu4j.tserver.tablets.TabletMemory;
import dev.kudu4j.tserver.tablets.TabletMetrics;
import dev.kudu4j.tserver.tablets.TabletPages;
import dev.kudu4j.tserver.tablets.TabletRegistry;
import dev.kudu4j.tserver.tablets.TabletTiles;
import dev.kudu4j.tserver.transaction.TransactionCalls;
import dev.kudu4j.tserver.transaction.Transactions;
import dev.kudu4j.tserver.verify.IndexVerifications;
import dev.kudu4j.tserver.write.WriteCalls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * A tablet server: assembles its parts and starts them in order. It answers clients as soon as the
 * port is open. Tablets open in the background, and each is reported to the masters when it is
 * ready.
 */
public final class TabletServer implements AutoCloseable {
  /**
   * The number of threads that open tablets. It may exceed the number of processors, because
   * opening a tablet waits for the disk.
   */
  private static final int OPENING_THREADS = 8;

  private static final int READ_AHEAD_THREADS =
      Math.max(2, Runtime.getRuntime().availableProcessors());
  private static final int READING_CLOSE_SECONDS = 5;

  private static final int DEFAULT_MASTER_PORT = 7051;

  private final ServerProcess process;
  private final TabletMemory memory;
  private final BufferAllocator batches;
  private final AncientHistory history;
  private final TabletRegistry tablets;
  private final ScanHistory scanHistory;
  private final ScannerRegistry scanners;
  private final ScheduledExecutorService timer;
  private final ScheduledExecutorService flushing;
  private final ExecutorService coordinating =
      Executors.newSingleThreadExecutor(daemonThreads("coordinate"));
  private final ExecutorService feeding = Executors.newSingleThreadExecutor(daemonThreads("feed"));
  private final ExecutorService sourcing =
      Executors.newFixedThreadPool(READ_AHEAD_THREADS, daemonThreads("index-source"));
  private final ExecutorService claiming =
      Executors.newFixedThreadPool(READ_AHEAD_THREADS, daemonThreads("claim"));
  private final ExecutorService opening;
  private final ExecutorService readingAhead;
  private final ReadAhead readAhead;
  private final RpcClient client;
  private final TabletCopies copies;
  private final List<InetSocketAddress> masters;
  private final Transactions transactions;
  private final IndexFeeds indexFeeds;
  private final Claims claims;
  private final IndexVerifications verifications = new IndexVerifications(System::nanoTime);
  private volatile @Nullable MasterHeartbeats heartbeats; // null until the server serves
  private volatile @Nullable ServerAddresses addresses; // null until the server serves
  private final Optional<String> localSocket;
  private final CompletableFuture<Void> opened = new CompletableFuture<>();

  private TabletServer(ServerProcess process, FileStore files) {
    this.process = process;
    this.localSocket = process.listenOnLocalSocket();
    this.client = process.newPeerClient();
    Flags flags = process.flags();
    this.timer = Executors.newSingleThreadScheduledExecutor(daemonThreads("timer"));
    this.flushing = Executors.newSingleThreadScheduledExecutor(daemonThreads("flush"));
    this.opening = Executors.newFixedThreadPool(OPENING_THREADS, daemonThreads("open"));
    this.readingAhead =
        Executors.newFixedThreadPool(READ_AHEAD_THREADS, daemonThreads("read-ahead"));
    this.memory = new TabletMemory(process.memory().data());
    this.batches = process.memory().scans().newChildAllocator("batches", 0, Long.MAX_VALUE);
    process.onClose(memory);
    process.onClose(batches);
    this.history = new AncientHistory(process.clock(), flags.get(TabletServerOptions.HISTORY_AGE));
    this.tablets =
        new TabletRegistry(
            process.files(),
            files,
            directory -> environment(files, directory),
            process.replicas(),
            history);
    this.scanHistory = new ScanHistory(flags.supplier(TabletServerOptions.SCANS_KEPT));
    this.scanners =
        new ScannerRegistry(
            () -> flags.get(ServerOptions.SCANNER_TTL), scanHistory, System::nanoTime, timer);
    this.readAhead =
        new ReadAhead(
            process.memory().scanGate(),
            batches,
            readingAhead,
            () -> flags.get(ServerOptions.SCANNER_READ_AHEAD));
    this.copies = new TabletCopies(process, tablets, files, client, timer);
    this.masters =
        HostPort.parseList(flags.get(ServerOptions.TSERVER_MASTER_ADDRS), DEFAULT_MASTER_PORT)
            .stream()
            .map(HostPort::resolve)
            .toList();
    LeadingMaster master = new LeadingMaster(() -> masters, client, timer);
    TabletLeaders leaders = new TabletLeaders(master, client, timer);
    this.transactions =
        Transactions.of(
            flags, tablets, master, leaders, process.clock(), batches, timer, coordinating);
    this.indexFeeds = new IndexFeeds(tablets, leaders, process.clock(), timer, feeding);
    this.claims = new Claims(tablets, leaders, process.clock(), claiming, timer, batches);
    process.onClose(this::closeParts);
  }

  private TabletEnvironment environment(FileStore files, Path directory) {
    return new TabletEnvironment(
        files,
        directory,
        memory.of(directory.getFileName().toString()),
        process.memory().scans(),
        process.memory().pages(),
        CrashPoints.NONE,
        RandomGenerator.getDefault(),
        System::nanoTime,
        TabletOptions.DEFAULT.withRedaction(ServerOptions.messagesAreRedacted(process.flags())),
        process.memory().requestCache());
  }

  private static ThreadFactory daemonThreads(String name) {
    return task -> {
      Thread thread = new Thread(task, "tserver-" + name);
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Starts a server. Tablets open in the background. */
  public static TabletServer start(Flags flags) {
    return start(flags, JvmShare.whole());
  }

  /** Starts one of several servers in this JVM. */
  public static TabletServer start(Flags flags, JvmShare share) {
    return start(flags, share, new LocalFileStore());
  }

  /** Starts a server whose tablets are in the given store. */
  static TabletServer start(Flags flags, JvmShare share, FileStore files) {
    ServerProcess process = ServerProcess.open(flags, share);
    try {
      FileStore confined = new ConfinedFileStore(files, process.files().tabletDirectories());
      TabletServer server = new TabletServer(process, confined);
      server.serve();
      return server;
    } catch (IOException | RuntimeException e) {
      process.close();
      throw e instanceof RuntimeException runtime
          ? runtime
          : new java.io.UncheckedIOException((IOException) e);
    }
  }

  private void serve() throws IOException {
    Flags flags = process.flags();
    addPages(flags);
    process.health().waitFor("tablets to open", opened);
    process.startup().watch("Open the tablets", opened, tablets::opening);
    MaintenanceScheduler maintenance = maintenance(flags);
    RequestedCompactions compactions = new RequestedCompactions(maintenance, System::nanoTime);
    process.onClose(compactions);
    var calls =
        new TabletCalls(
            process.identity().nodeInstance(),
            tablets,
            scanners,
            flushing,
            compactions,
            verifications,
            process.clock());
    var writes =
        new WriteCalls(
            tablets,
            transactions.registrations(),
            claims,
            process.clock(),
            timer,
            flags.get(ServerOptions.RPC_MAX_MESSAGE));
    var scans =
        new ScanCalls(
            tablets,
            scanners,
            process.clock(),
            batches,
            process.memory().scanGate(),
            batchLimits(flags),
            new ScanCalls.Faults(
                () -> flags.get(ServerOptions.SCANNER_DELAY),
                () -> flags.get(ServerOptions.SCANNER_UNAVAILABLE)),
            history,
            readAhead,
            process.executor());
    var checksums =
        new ChecksumCalls(tablets, scanners, process.clock(), batches, history, process.executor());
    var changes =
        new ChangeCalls(
            tablets,
            process.clock(),
            batches,
            process.memory().scanGate(),
            batchLimits(flags),
            process.executor());
    var sources =
        new SourceCalls(tablets, process.clock(), batches, process.memory().scanGate(), sourcing);
    process.start(
        new Replicas(calls::isQuiescing),
        copies.target(),
        List.of(
            dataService(writes, scans, checksums, changes, calls),
            adminService(
                calls,
                transactions.calls(),
                sources,
                new ClaimCalls(tablets, claims, process.clock())),
            copies.service()));
    maintenance.start();
    startHeartbeats(flags);
    tablets.openAll(opening).whenComplete((done, failure) -> allOpened(failure));
  }

  private void allOpened(@Nullable Throwable failure) {
    if (failure == null) {
      opened.complete(null);
    } else {
      opened.completeExceptionally(failure);
    }
  }

  private void addPages(Flags flags) {
    ServerPages pages = process.pages();
    BooleanSupplier redacted = ServerOptions.pagesAreRedacted(flags);
    new TabletPages(tablets, new Others(), redacted).pages().forEach(pages::add);
    pages.add(ScansPage.of(tablets, scanners, readAhead, scanHistory, redacted));
    pages.addMeters(readAhead::publish);
    pages.add(transactions.page());
    pages.addMeters(transactions.publisher());
    pages.addMeters(indexFeeds::publish);
    pages.add(copies.page());
    pages.addMeasures(copies::measure);
    pages.addTiles(new TabletTiles(tablets, scanners::count)::add);
    TabletMetrics metrics = new TabletMetrics(tablets);
    pages.addEntities(metrics::entities);
    pages.addMeasures(metrics::measureAll);
    pages.addMeasures(scanners::measure);
    pages.leadTo(
        () -> new Others().master().map(page -> new Link("Master", page + "/")).stream().toList());
  }

  private MaintenanceScheduler maintenance(Flags flags) {
    MaintenanceScheduler maintenance =
        new MaintenanceScheduler(
            tablets::maintained,
            MaintenanceOptions.settings(flags, process.memory().budget()),
            process.memory()::isDataShort,
            System::nanoTime);
    process.pages().add(MaintenancePage.of(maintenance, TabletPages::link));
    process.pages().addMeters(maintenance.meters()::publish);
    process.pages().addMeasures(maintenance::measure);
    process.pages().addMeters(new LayoutMeters(tablets::maintained)::publish);
    process.onClose(maintenance);
    return maintenance;
  }

  private RpcService dataService(
      WriteCalls writes,
      ScanCalls scans,
      ChecksumCalls checksums,
      ChangeCalls changes,
      TabletCalls calls) {
    SplitCalls splits = new SplitCalls(tablets);
    return RpcService.builder("kudu.tserver.TabletServerService")
        .features(
            TabletServerFeatures.COLUMN_PREDICATES_VALUE,
            TabletServerFeatures.PAD_UNIXTIME_MICROS_TO_16_BYTES_VALUE,
            TabletServerFeatures.QUIESCING_VALUE,
            TabletServerFeatures.COLUMNAR_LAYOUT_FEATURE_VALUE,
            TabletServerFeatures.BLOOM_FILTER_PREDICATE_V2_VALUE,
            TabletServerFeatures.ARRAY_1D_COLUMN_TYPE_VALUE,
            TabletServerFeatures.PRIMARY_KEYS_VALUE,
            TabletServerFeatures.CONDITIONS_VALUE,
            TabletServerFeatures.AGGREGATION_VALUE,
            TabletServerFeatures.TOP_N_VALUE,
            TabletServerFeatures.SAMPLES_VALUE,
            TabletServerFeatures.DISTINCT_SKETCHES_VALUE,
            TabletServerFeatures.FRESHNESS_VALUE,
            TabletServerFeatures.CHANGE_FEED_VALUE,
            TabletServerFeatures.FLOATING_GROUPS_VALUE)
        .method(
            "Ping",
            Access.CLIENT_OR_SERVICE,
            CallCost.SHORT,
            PingRequestPB.parser(),
            (request, call) -> call.respond(PingResponsePB.getDefaultInstance()))
        .method("Write", Access.CLIENT, CallCost.SHORT, WriteRequestPB.parser(), writes::write)
        .method("Scan", Access.CLIENT, CallCost.SHORT, ScanRequestPB.parser(), scans::scan)
        .method(
            "ScannerKeepAlive",
            Access.CLIENT,
            CallCost.SHORT,
            ScannerKeepAliveRequestPB.parser(),
            scans::keepAlive)
        .method(
            "SplitKeyRange",
            Access.CLIENT,
            CallCost.LONG,
            SplitKeyRangeRequestPB.parser(),
            splits::splitKeyRange)
        .method(
            "Checksum",
            Access.CLIENT,
            CallCost.LONG,
            ChecksumRequestPB.parser(),
            checksums::checksum)
        .method(
            "ReadChanges",
            Access.CLIENT,
            CallCost.LONG,
            ReadChangesRequestPB.parser(),
            changes::readChanges)
        .method(
            "ListTablets",
            Access.CLIENT,
            CallCost.LONG,
            ListTabletsRequestPB.parser(),
            calls::listTablets)
        .build();
  }

  private static RpcService adminService(
      TabletCalls calls, TransactionCalls transactions, SourceCalls sources, ClaimCalls claims) {
    return RpcService.builder("kudu.tserver.TabletServerAdminService")
        .features(
            TabletServerFeatures.QUIESCING_VALUE, TabletServerFeatures.ARRAY_1D_COLUMN_TYPE_VALUE)
        .method("CreateTablet", Access.SERVICE, CreateTabletRequestPB.parser(), calls::createTablet)
        .method("AlterSchema", Access.SERVICE, AlterSchemaRequestPB.parser(), calls::alterSchema)
        .method(
            "DeleteTablet",
            Access.SUPERUSER_OR_SERVICE,
            DeleteTabletRequestPB.parser(),
            calls::deleteTablet)
        .method("FlushTablet", Access.SUPERUSER, FlushTabletRequestPB.parser(), calls::flushTablet)
        .method(
            "CompactTablet",
            Access.SUPERUSER,
            CompactTabletRequestPB.parser(),
            calls::compactTablet)
        .method(
            "VerifyIndexes",
            Access.SUPERUSER,
            VerifyIndexesRequestPB.parser(),
            calls::verifyIndexes)
        .method(
            "CoordinateTransaction",
            Access.SUPERUSER_OR_SERVICE,
            CoordinateTransactionRequestPB.parser(),
            transactions::coordinate)
        .method(
            "ParticipateInTransaction",
            Access.SUPERUSER_OR_SERVICE,
            CallCost.SHORT,
            ParticipantRequestPB.parser(),
            transactions::participate)
        .method(
            "ReadIndexRows",
            Access.SERVICE,
            ReadIndexRowsRequestPB.parser(),
            sources::readIndexRows)
        .method("ClaimValues", Access.SERVICE, ClaimValuesRequestPB.parser(), claims::claimValues)
        .method("CheckClaims", Access.SERVICE, CheckClaimsRequestPB.parser(), claims::checkClaims)
        .method(
            "Quiesce",
            Access.SUPERUSER_OR_SERVICE,
            QuiesceTabletServerRequestPB.parser(),
            calls::quiesce)
        .build();
  }

  private void startHeartbeats(Flags flags) {
    MasterHeartbeats begun =
        new MasterHeartbeats(
            masters,
            client,
            new MasterHeartbeats.Identity(
                process.identity().nodeInstance(),
                this::registration,
                ServerIdentity.toWire(process.identity().raft())),
            tablets,
            process.clock(),
            flags.get(ServerOptions.HEARTBEAT_INTERVAL),
            timer);
    heartbeats = begun;
    tablets.onChange(tabletId -> tabletChanged(tabletId, begun));
    claims.onProgress(begun::changed);
    begun.start();
    addresses = new ServerAddresses(masters, client, timer);
  }

  /** The configured batch sizes, capped so that one batch cannot take all memory of scans. */
  private ScanCalls.BatchLimits batchLimits(Flags flags) {
    long share = process.memory().scanGate().maxBatchBytes();
    return new ScanCalls.BatchLimits(
        () -> (int) Math.min(flags.get(ServerOptions.SCANNER_DEFAULT_BATCH_SIZE), share),
        () -> (int) Math.min(flags.get(ServerOptions.SCANNER_MAX_BATCH_SIZE), share));
  }

  private void tabletChanged(String tabletId, MasterHeartbeats told) {
    copies.tabletChanged(tabletId);
    transactions.coordinators().tabletChanged(tabletId);
    indexFeeds.tabletChanged(tabletId);
    claims.tabletChanged(tabletId);
    if (tablets.find(tabletId) == null) {
      memory.forget(tabletId);
    }
    told.changed(tabletId);
  }

  private ServerRegistrationPB registration() {
    ServerRegistrationPB.Builder registration =
        ServerRegistrationPB.newBuilder()
            .setSoftwareVersion("kudu4j " + process.identity().version())
            .setHttpsEnabled(false)
            .setStartTime(TimeUnit.MICROSECONDS.toSeconds(process.identity().startedMicros()));
    process
        .identity()
        .rpcAddresses()
        .forEach(a -> registration.addRpcAddresses(ServerIdentity.toWire(a)));
    process
        .identity()
        .httpAddresses()
        .get()
        .forEach(a -> registration.addHttpAddresses(ServerIdentity.toWire(a)));
    localSocket.ifPresent(registration::setUnixDomainSocketPath);
    return registration.build();
  }

  public ServerProcess process() {
    return process;
  }

  /** Completes when every tablet that was on disk at the start is open or has failed. */
  public CompletableFuture<Void> opened() {
    return opened;
  }

  private void closeParts() {
    MasterHeartbeats begun = heartbeats;
    if (begun != null) {
      begun.close();
    }
    ServerAddresses known = addresses;
    if (known != null) {
      known.close();
    }
    copies.close();
    transactions.coordinators().close();
    indexFeeds.close();
    client.close();
    opening.shutdownNow();
    scanners.close();
    verifications.close();
    stopReading();
    tablets.close();
    flushing.shutdownNow();
    coordinating.shutdownNow();
    feeding.shutdownNow();
    timer.shutdownNow();
  }

  /** Waits for the batches that are being read, because they use the tablets and their memory. */
  private void stopReading() {
    readingAhead.shutdown();
    sourcing.shutdown();
    claiming.shutdown();
    try {
      readingAhead.awaitTermination(READING_CLOSE_SECONDS, TimeUnit.SECONDS);
      sourcing.awaitTermination(READING_CLOSE_SECONDS, TimeUnit.SECONDS);
      claiming.awaitTermination(READING_CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  TabletRegistry tablets() {
    return tablets;
  }

  TabletCopies copies() {
    return copies;
  }

  @Override
  public void close() {
    process.close();
  }

  /** The addresses of other servers' web pages, known once a master has answered. */
  private final class Others implements TabletPages.OtherPages {
    @Override
    public Optional<String> master() {
      ServerAddresses known = addresses;
      return known == null
          ? Optional.empty()
          : known.masterPages().stream().findFirst().map(web -> "http://" + web);
    }

    @Override
    public Optional<String> server(String uuid) {
      ServerAddresses known = addresses;
      return known == null ? Optional.empty() : known.findPages(uuid).map(web -> "http://" + web);
    }
  }

  /** The replicas of this server, for the services that all daemons have. */
  private final class Replicas implements ReplicaDirectory {
    private final BooleanSupplier quiescing;

    Replicas(BooleanSupplier quiescing) {
      this.quiescing = quiescing;
    }

    @Override
    public Optional<TabletReplica> find(String tabletId) {
      return Optional.ofNullable(tablets.find(tabletId))
          .filter(HostedTablet::isOpen)
          .map(HostedTablet::replica);
    }

    @Override
    public boolean isLost(String tabletId) {
      HostedTablet hosted = tablets.find(tabletId);
      return hosted != null && hosted.isLost();
    }

    @Override
    public Collection<TabletReplica> all() {
      return tablets.all().stream()
          .filter(HostedTablet::isOpen)
          .map(HostedTablet::replica)
          .toList();
    }

    @Override
    public boolean isQuiescing() {
      return quiescing.getAsBoolean();
    }

    @Override
    public Optional<HostPort> rpcAddress(String serverUuid) {
      if (serverUuid.equals(process.identity().uuid())) {
        return Optional.of(process.identity().rpcAddresses().get(0));
      }
      ServerAddresses known = addresses;
      return known == null ? Optional.empty() : known.find(serverUuid);
    }
  }
}
