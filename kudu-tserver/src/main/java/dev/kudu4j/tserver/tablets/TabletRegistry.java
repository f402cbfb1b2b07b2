package dev.kudu4j.tserver.tablets;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.id.ForeignText;
import dev.kudu4j.common.id.HexId;
import dev.kudu4j.common.proto.cluster.CreateTabletRequestPB;
import dev.kudu4j.common.proto.tablet.TabletDataState;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.server.fs.ServerFiles;
import dev.kudu4j.server.maintenance.AncientHistory;
import dev.kudu4j.server.maintenance.MaintainedTablet;
import dev.kudu4j.server.process.Startup;
import dev.kudu4j.server.raft.RaftHost;
import dev.kudu4j.server.raft.log.RaftLogs;
import dev.kudu4j.server.replica.ReplicaEnvironment;
import dev.kudu4j.server.replica.ReplicaState;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.server.rpc.PeerWire;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.env.FileStore;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.superblock.TombstoneFile;
import dev.kudu4j.tserver.TabletServerError;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The tablets of this server, by id: creates, opens, finds and deletes them. Whatever changes is
 * told to a listener, which must not block. One bad tablet fails alone.
 *
 * <p>Thread-safe; creation and deletion of one tablet exclude each other.
 */
public final class TabletRegistry implements AutoCloseable {
  private final ServerFiles directories;
  private final FileStore files;
  private final Function<Path, TabletEnvironment> environments;
  private final CompletableFuture<ReplicaEnvironment> replicas;
  private final AncientHistory history;
  private final Tombstones tombstones;
  private final Map<String, HostedTablet> tablets = new ConcurrentHashMap<>();
  private final DeletedTablets deleted = new DeletedTablets();
  private final RegistryTimes times = new RegistryTimes();
  private final TabletLines lines;
  private volatile Consumer<String> changes = tabletId -> {};

  /**
   * @param directories where each tablet has its own
   * @param environments what a tablet in a directory gets from outside
   * @param replicas there once Raft has started
   * @param history how far back tablets can be read
   */
  public TabletRegistry(
      ServerFiles directories,
      FileStore files,
      Function<Path, TabletEnvironment> environments,
      CompletableFuture<ReplicaEnvironment> replicas,
      AncientHistory history) {
    this.directories = directories;
    this.files = files;
    this.environments = environments;
    this.replicas = replicas;
    this.history = history;
    this.tombstones = new Tombstones(directories, files);
    this.lines = new TabletLines(directories.instance().uuid());
  }

  /** Who is told the id of every tablet that changes. */
  public void onChange(Consumer<String> listener) {
    changes = listener;
  }

  /**
   * Opens what lies on disk, several at a time on the executor; completes when all are open or
   * failed. The order is that of the ids: when all servers start at once, the replicas of a tablet
   * come up at about the same time, and none of them stands for election while nobody can vote.
   */
  public CompletableFuture<Void> openAll(Executor executor) throws IOException {
    List<CompletableFuture<Void>> opening = new ArrayList<>();
    List<Path> found = directories.tablets();
    times.opening(found.size());
    long startNanos = System.nanoTime();
    for (Path directory : found) {
      HostedTablet hosted = new HostedTablet(directory.getFileName().toString());
      tablets.put(hosted.tabletId(), hosted);
      opening.add(CompletableFuture.runAsync(() -> open(hosted, directory), executor));
    }
    return CompletableFuture.allOf(opening.toArray(CompletableFuture[]::new))
        .thenRun(
            () ->
                lines.allOpened(
                    found.size(),
                    (int) tablets.values().stream().filter(one -> one.cause() != null).count(),
                    System.nanoTime() - startNanos));
  }

  private void open(HostedTablet hosted, Path directory) {
    synchronized (hosted) {
      boolean neverRan = !RaftLogs.exists(directories.raftDirectory(), hosted.tabletId());
      try {
        Optional<Tombstone> tombstone = tombstones.find(directory);
        if (tombstone.isPresent()) {
          checkIsOf(hosted, tombstone.get());
        }
        if (tombstone.isPresent() && !tombstones.isCompleteCopy(tombstone.get(), directory)) {
          tombstones.sweep(tombstone.get(), directory);
          hosted.buriedAs(tombstone.get());
          lines.foundTombstone(hosted);
          return;
        }
        ReplicaEnvironment environment = replicas.join();
        long startNanos = System.nanoTime();
        Tablet tablet = Tablet.open(environments.apply(directory));
        neverRan = tablet.checkpoint().index() < 0;
        TabletReplica replica =
            TabletReplica.open(
                hosted.tabletId(), environment, ReplicaState.of(tablet), changed -> tell(hosted));
        if (tombstone.isPresent()) {
          tombstones.remove(directory);
        }
        hosted.opened(tablet, replica, history);
        lines.opened(tablet, replica, System.nanoTime() - startNanos);
      } catch (IOException | RuntimeException e) {
        lines.cannotBeOpened(hosted.tabletId(), e);
        if (neverRan && e instanceof KuduException known && known.code() == StatusCode.NOT_FOUND) {
          hosted.failedAsRemainder(e);
        } else {
          hosted.failed(e);
        }
      } finally {
        times.opened();
        tell(hosted);
      }
    }
  }

  private static void checkIsOf(HostedTablet hosted, Tombstone tombstone) {
    if (!tombstone.tabletId().equals(hosted.tabletId())) {
      throw KuduException.corruption(
          "The tombstone in the directory of tablet %s is of tablet %s",
          hosted.tabletId(), ForeignText.shown(tombstone.tabletId()));
    }
  }

  /**
   * Creates a tablet and starts its replica; the same one again is success. What an earlier
   * creation left that a crash ended is removed before: no row was ever in it.
   *
   * @return the tablet
   * @throws KuduException INVALID_ARGUMENT, before anything is done, for ids that are none and for
   *     members that cannot be reached
   * @throws TabletServerError TABLET_ALREADY_EXISTS when there is a tombstone, or a copy runs
   */
  public HostedTablet create(CreateTabletRequestPB request) throws IOException {
    String tabletId = HexId.require("tablet_id", request.getTabletId());
    HexId.require("table_id", request.getTableId());
    List<RaftHost.Peer> members = members(request);
    checkNamesThisServer(members);
    HostedTablet left = tablets.get(tabletId);
    if (left != null && left.isRemainder()) {
      remove(left);
    }
    HostedTablet hosted = new HostedTablet(tabletId);
    synchronized (hosted) {
      HostedTablet existing = tablets.putIfAbsent(tabletId, hosted);
      if (existing != null) {
        checkMayBeCreated(existing);
        return existing;
      }
      if (deleted.contains(tabletId)) { // looked up only now: a deletion looks in the other order
        tablets.remove(tabletId, hosted);
        throw KuduException.illegalState(
            "Tablet %s was deleted on this server, and is not created again", tabletId);
      }
      if (directories.findTablet(tabletId)
          != null) { // what lies there is not this request's to delete
        tablets.remove(tabletId, hosted);
        throw KuduException.serviceUnavailable(
            "Tablet %s lies on this server and is not open yet; try again", tabletId);
      }
      long startNanos = System.nanoTime();
      Path directory = directories.placeTablet(tabletId);
      try {
        ReplicaEnvironment environment = replicas.join();
        Tablet tablet = Tablet.create(environments.apply(directory), descriptor(request));
        TabletReplica replica =
            TabletReplica.create(
                tabletId, environment, ReplicaState.of(tablet), members, changed -> tell(hosted));
        hosted.opened(tablet, replica, history);
        long nanos = System.nanoTime() - startNanos;
        times.created(nanos);
        lines.created(
            tablet, replica, members.stream().map(RaftHost.Peer::serverUuid).toList(), nanos);
      } catch (IOException | RuntimeException e) {
        tablets.remove(tabletId, hosted);
        files.deleteTree(directory);
        throw e;
      }
    }
    tell(hosted);
    return hosted;
  }

  /** A replica that no group counts would cost threads and files, and serve nobody. */
  private void checkNamesThisServer(List<RaftHost.Peer> members) {
    String uuid = directories.instance().uuid();
    if (members.stream().noneMatch(member -> member.serverUuid().equals(uuid))) {
      throw KuduException.invalidArgument("config does not name this server, %s", uuid);
    }
  }

  private static void checkMayBeCreated(HostedTablet existing) {
    if (existing.dataState() != TabletDataState.TABLET_DATA_READY) {
      throw new TabletServerError(
          TabletServerErrorPB.Code.TABLET_ALREADY_EXISTS,
          StatusCode.ALREADY_PRESENT,
          "Tablet " + existing.tabletId() + " was here before: " + existing.lastStatus());
    }
  }

  private static TabletDescriptor descriptor(CreateTabletRequestPB request) {
    return new TabletDescriptor(
        request.getTabletId().toStringUtf8(),
        request.getTableId().toStringUtf8(),
        request.getTableName(),
        SchemaWire.fromWire(request.getSchema()),
        request.getSchemaVersion(),
        Map.of(
            TabletAttributes.PARTITION, request.getPartition().toByteArray(),
            TabletAttributes.PARTITION_SCHEMA, request.getPartitionSchema().toByteArray(),
            TabletAttributes.EXTRA_CONFIG, request.getExtraConfig().toByteArray()));
  }

  private static List<RaftHost.Peer> members(CreateTabletRequestPB request) {
    return PeerWire.members("config", request.getConfig().getPeersList());
  }

  /**
   * Stops the replica and removes log and data. From now on the tablet is not created here, whether
   * or not there was one: a request to create it may still be on its way.
   *
   * @return whether there was one
   */
  public boolean delete(String tabletId) throws IOException {
    HexId.require("tablet_id", tabletId);
    deleted.add(tabletId);
    HostedTablet hosted = tablets.get(tabletId);
    if (hosted == null) {
      return false;
    }
    checkNotCopying(hosted);
    long startNanos = System.nanoTime();
    remove(hosted);
    long nanos = System.nanoTime() - startNanos;
    times.deleted(nanos);
    lines.deleted(tabletId, nanos);
    return true;
  }

  /**
   * Stops the replica and removes log and data, but for a tombstone; where there is one already, it
   * stays.
   *
   * @return whether there was a replica or a tombstone
   */
  public boolean bury(String tabletId, String reason) throws IOException {
    HostedTablet hosted = tablets.get(tabletId);
    if (hosted == null) {
      return false;
    }
    checkNotCopying(hosted);
    synchronized (hosted) {
      if (tablets.get(tabletId) == hosted && hosted.tombstone() == null) {
        buryLocked(hosted, reason);
      }
    }
    tell(hosted);
    return true;
  }

  /** A copy that is under way ends soon after it was told to. */
  private static void checkNotCopying(HostedTablet hosted) {
    CopyProgress copy = hosted.copy();
    if (copy != null) {
      copy.cancel();
      throw new TabletServerError(
          TabletServerErrorPB.Code.ALREADY_INPROGRESS,
          StatusCode.ALREADY_PRESENT,
          "Tablet " + hosted.tabletId() + " is being copied to this server; the copy is stopped");
    }
  }

  private HostedTablet buryLocked(HostedTablet hosted, String reason) throws IOException {
    String tabletId = hosted.tabletId();
    hosted.stopping();
    if (hosted.isOpen()) {
      hosted.replica().close();
    }
    Tombstone tombstone = tombstones.bury(hosted, directoryOf(tabletId), reason);
    HostedTablet buried = HostedTablet.buried(tombstone);
    tablets.replace(tabletId, hosted, buried);
    lines.tombstoned(buried);
    return buried;
  }

  private Path directoryOf(String tabletId) throws IOException {
    Path directory = directories.findTablet(tabletId);
    return directory == null ? directories.placeTablet(tabletId) : directory;
  }

  RegistryTimes times() {
    return times;
  }

  /** How far {@link #openAll} is. */
  public Startup.Progress opening() {
    return times.progress();
  }

  // ---- copies

  /**
   * Lets one copy of a tablet to this server begin. A replica that has failed is given up for it.
   *
   * @param callerTerm of the group, as whoever wants the copy knows it
   * @return the tablet, which is copying; ends with {@link #openCopy} or {@link #copyFailed}
   * @throws TabletServerError TABLET_ALREADY_EXISTS, ALREADY_INPROGRESS, TABLET_NOT_RUNNING; or
   *     INVALID_CONFIG when what was here is of a later term
   */
  public HostedTablet beginCopy(String tabletId, long callerTerm, CopyProgress progress)
      throws IOException {
    HexId.require("tablet_id", tabletId);
    HostedTablet fresh = new HostedTablet(tabletId);
    fresh.copying(progress);
    HostedTablet existing = tablets.putIfAbsent(tabletId, fresh);
    if (existing == null) {
      tell(fresh);
      return fresh;
    }
    CopyAdmission.check(existing, callerTerm);
    HostedTablet copying;
    synchronized (existing) {
      if (tablets.get(tabletId) != existing) {
        throw KuduException.serviceUnavailable("Tablet %s is changing; try again", tabletId);
      }
      CopyAdmission.check(existing, callerTerm);
      copying =
          existing.tombstone() != null
              ? existing
              : buryLocked(existing, "to be copied anew: " + existing.lastStatus());
      copying.copying(progress);
    }
    tell(copying);
    return copying;
  }

  /** Where the copy of a tablet goes. */
  public Path copyDirectory(HostedTablet copying) throws IOException {
    return directoryOf(copying.tabletId());
  }

  /** What a copy needs to look into a directory. */
  public TabletEnvironment environment(Path directory) {
    return environments.apply(directory);
  }

  /**
   * All of a copy is durable: opens it, joins the group, and removes the tombstone.
   *
   * @param members the group's other members
   */
  public void openCopy(HostedTablet copying, Path directory, List<RaftHost.Peer> members)
      throws IOException {
    synchronized (copying) {
      Tombstone before = new Tombstone(new TombstoneFile(files, directory).read());
      Tablet tablet = Tablet.open(environments.apply(directory));
      TabletReplica replica =
          TabletReplica.join(
              copying.tabletId(),
              replicas.join(),
              ReplicaState.of(tablet),
              members,
              before.vote(),
              changed -> tell(copying));
      try {
        tombstones.remove(directory);
      } catch (IOException | RuntimeException e) {
        replica.close();
        throw e;
      }
      copying.opened(tablet, replica, history);
    }
    tell(copying);
  }

  /** A copy has ended without a replica: what is durable of it is a tombstone. */
  public void copyFailed(HostedTablet copying) {
    synchronized (copying) {
      Optional<Tombstone> left = Optional.empty();
      try {
        Path directory = directories.findTablet(copying.tabletId());
        left = directory == null ? left : tombstones.find(directory);
      } catch (IOException | RuntimeException e) {
        lines.tombstoneUnreadable(copying.tabletId(), e);
        copying.failed(e);
      }
      if (left.isEmpty() && copying.cause() == null) {
        tablets.remove(copying.tabletId(), copying);
      }
      copying.copyFailed(left.orElse(null));
    }
    tell(copying);
  }

  private void remove(HostedTablet hosted) throws IOException {
    String tabletId = hosted.tabletId();
    hosted.stopping();
    synchronized (hosted) {
      if (tablets.get(tabletId) != hosted) {
        return; // somebody else did it
      }
      if (hosted.isOpen()) {
        hosted.replica().closeAndDeleteLog();
      } else {
        RaftLogs.delete(directories.raftDirectory(), tabletId);
      }
      Path directory = directories.findTablet(tabletId);
      if (directory != null) {
        files.deleteTree(directory);
      }
      tablets.remove(tabletId, hosted);
    }
    changes.accept(tabletId);
  }

  public HostedTablet find(String tabletId) {
    return tablets.get(tabletId);
  }

  public Collection<HostedTablet> all() {
    return tablets.values();
  }

  /** Those that have been opened, for the server's maintenance. */
  public Collection<MaintainedTablet> maintained() {
    return tablets.values().stream()
        .filter(HostedTablet::isOpen)
        .map(HostedTablet::maintained)
        .toList();
  }

  /**
   * The tablet, ready to serve.
   *
   * @throws KuduException TABLET_NOT_FOUND, TABLET_NOT_RUNNING or TABLET_FAILED
   */
  public HostedTablet running(ByteString tabletId) {
    HostedTablet hosted = known(tabletId);
    hosted.checkRunning();
    return hosted;
  }

  /**
   * @throws KuduException TABLET_NOT_FOUND
   */
  public HostedTablet known(ByteString tabletId) {
    HostedTablet hosted = tablets.get(tabletId.toStringUtf8());
    if (hosted == null) {
      throw new TabletServerError(
          TabletServerErrorPB.Code.TABLET_NOT_FOUND,
          StatusCode.NOT_FOUND,
          "Tablet not found: "
              + (HexId.isValid(tabletId) ? tabletId.toStringUtf8() : ForeignText.shown(tabletId)));
    }
    return hosted;
  }

  /**
   * Reading the rows of a tablet failed, which may be the tablet's failure.
   *
   * @return what the reader is to be told
   */
  public Throwable readFailed(String tabletId, Throwable failure) {
    HostedTablet hosted = tablets.get(tabletId);
    return hosted == null || !hosted.isOpen() ? failure : hosted.readFailed(failure);
  }

  private void tell(HostedTablet hosted) {
    changes.accept(hosted.tabletId());
  }

  /** Stops all replicas; files stay. */
  @Override
  public void close() {
    for (HostedTablet hosted : tablets.values()) {
      hosted.stopping();
      if (hosted.isOpen()) {
        hosted.replica().close();
      }
    }
  }
}
