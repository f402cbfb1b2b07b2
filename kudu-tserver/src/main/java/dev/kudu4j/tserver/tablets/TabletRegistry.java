package dev.kudu4j.tserver.tablets;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.cluster.CreateTabletRequestPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.server.fs.ServerFiles;
import dev.kudu4j.server.maintenance.AncientHistory;
import dev.kudu4j.server.maintenance.MaintainedTablet;
import dev.kudu4j.server.replica.RaftHost;
import dev.kudu4j.server.replica.ReplicaEnvironment;
import dev.kudu4j.server.replica.ReplicaState;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.env.FileStore;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tserver.TabletServerError;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tablets of this server, by id: creates, opens, finds and deletes them. Whatever changes is
 * told to a listener, which must not block. One bad tablet fails alone.
 *
 * <p>Thread-safe; creation and deletion of one tablet exclude each other.
 */
public final class TabletRegistry implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TabletRegistry.class);

  private final ServerFiles directories;
  private final FileStore files;
  private final Function<Path, TabletEnvironment> environments;
  private final CompletableFuture<ReplicaEnvironment> replicas;
  private final AncientHistory history;
  private final Map<String, HostedTablet> tablets = new ConcurrentHashMap<>();
  private final DeletedTablets deleted = new DeletedTablets();
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
  }

  /** Who is told the id of every tablet that changes. */
  public void onChange(Consumer<String> listener) {
    changes = listener;
  }

  /**
   * Opens what lies on disk, several at a time on the executor; completes when all are open or
   * failed.
   */
  public CompletableFuture<Void> openAll(Executor executor) throws IOException {
    List<CompletableFuture<Void>> opening = new ArrayList<>();
    for (Path directory : directories.tablets()) {
      HostedTablet hosted = new HostedTablet(directory.getFileName().toString());
      tablets.put(hosted.tabletId(), hosted);
      opening.add(CompletableFuture.runAsync(() -> open(hosted, directory), executor));
    }
    return CompletableFuture.allOf(opening.toArray(CompletableFuture[]::new));
  }

  private void open(HostedTablet hosted, Path directory) {
    synchronized (hosted) {
      boolean neverRan = !RaftHost.hasLog(directories.raftDirectory(), hosted.tabletId());
      try {
        ReplicaEnvironment environment = replicas.join();
        Tablet tablet = Tablet.open(environments.apply(directory));
        neverRan = tablet.checkpoint().index() < 0;
        TabletReplica replica =
            TabletReplica.open(
                hosted.tabletId(), environment, ReplicaState.of(tablet), changed -> tell(hosted));
        hosted.opened(tablet, replica, history);
      } catch (IOException | RuntimeException e) {
        log.error("Tablet {} cannot be opened; it fails alone", hosted.tabletId(), e);
        if (neverRan && e instanceof KuduException known && known.code() == StatusCode.NOT_FOUND) {
          hosted.failedAsRemainder(e);
        } else {
          hosted.failed(e);
        }
      }
    }
    tell(hosted);
  }

  /**
   * Creates a tablet and starts its replica; the same one again is success. What an earlier
   * creation left that a crash ended is removed before: no row was ever in it.
   *
   * @return the tablet
   */
  public HostedTablet create(CreateTabletRequestPB request) throws IOException {
    String tabletId = request.getTabletId().toStringUtf8();
    HostedTablet left = tablets.get(tabletId);
    if (left != null && left.isRemainder()) {
      remove(left);
    }
    HostedTablet hosted = new HostedTablet(tabletId);
    synchronized (hosted) {
      HostedTablet existing = tablets.putIfAbsent(tabletId, hosted);
      if (existing != null) {
        return existing;
      }
      if (deleted.contains(tabletId)) { // looked up only now: a deletion looks in the other order
        tablets.remove(tabletId, hosted);
        throw KuduException.illegalState(
            "Tablet %s was deleted on this server, and is not created again", tabletId);
      }
      Path directory = directories.placeTablet(tabletId);
      try {
        ReplicaEnvironment environment = replicas.join();
        Tablet tablet = Tablet.create(environments.apply(directory), descriptor(request));
        TabletReplica replica =
            TabletReplica.create(
                tabletId,
                environment,
                ReplicaState.of(tablet),
                members(request),
                changed -> tell(hosted));
        hosted.opened(tablet, replica, history);
      } catch (IOException | RuntimeException e) {
        tablets.remove(tabletId, hosted);
        files.deleteTree(directory);
        throw e;
      }
    }
    tell(hosted);
    return hosted;
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
    List<RaftHost.Peer> members = new ArrayList<>();
    for (RaftPeerPB peer : request.getConfig().getPeersList()) {
      members.add(
          new RaftHost.Peer(
              peer.getPermanentUuid().toStringUtf8(),
              peer.getRaftAddr().getHost(),
              peer.getRaftAddr().getPort(),
              peer.hasLastKnownAddr()
                  ? peer.getLastKnownAddr().getHost() + ":" + peer.getLastKnownAddr().getPort()
                  : null));
    }
    return members;
  }

  /**
   * Stops the replica and removes log and data. From now on the tablet is not created here, whether
   * or not there was one: a request to create it may still be on its way.
   *
   * @return whether there was one
   */
  public boolean delete(String tabletId) throws IOException {
    deleted.add(tabletId);
    HostedTablet hosted = tablets.get(tabletId);
    if (hosted == null) {
      return false;
    }
    remove(hosted);
    return true;
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
        RaftHost.deleteLog(directories.raftDirectory(), tabletId);
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
          "Tablet not found: " + tabletId.toStringUtf8());
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
