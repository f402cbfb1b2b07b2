package dev.kudu4j.tserver.tablets;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.id.HexId;
import dev.kudu4j.common.id.UntrustedText;
import dev.kudu4j.common.proto.cluster.CreateTabletRequestPB;
import dev.kudu4j.common.proto.tablet.TabletDataState;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.server.fs.ServerFiles;
import dev.kudu4j.server.maintenance.AncientHistory;
import dev.kudu4j.server.maintenance.MaintainedTablet;
import dev.kudu4j.server.process.Startup;
import dev.kudu4j.server.replica.ReplicaEnvironment;
import dev.kudu4j.tablet.env.FileStore;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tserver.error.TabletServerError;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The tablets of this server, by id: opens, creates, finds and deletes them. A listener receives
 * each change. A failure of one tablet does not affect the others.
 *
 * <pre>
 *   {@link HostedTablets}   the map, and the listener
 *   {@link StartupOpening}  opens the tablets on disk when the server starts
 *   {@link TabletRemover}   deletes replicas, or leaves tombstones
 *   {@link CopyLifeCycle}   copies of tablets to this server
 *   {@link ReplicaStarter}  opens tablets and starts their replicas, for all the above
 *   {@link TombstoneStore}  the tombstones on disk
 * </pre>
 *
 * <p>Thread-safe; creation and deletion of one tablet exclude each other.
 */
public final class TabletRegistry implements AutoCloseable {
  private final ServerFiles directories;
  private final FileStore files;
  private final HostedTablets tablets = new HostedTablets();
  private final DeletedTablets deleted = new DeletedTablets();
  private final RegistryTimes times = new RegistryTimes();
  private final ReplicaStarter starter;
  private final StartupOpening opening;
  private final TabletRemover remover;
  private final CopyLifeCycle copies;
  private final TabletLogMessages logMessages;

  /**
   * @param directories contain one directory per tablet
   * @param environments creates the environment of a tablet in a directory
   * @param replicas completes when Raft has started
   * @param history defines how far back tablets can be read
   */
  public TabletRegistry(
      ServerFiles directories,
      FileStore files,
      Function<Path, TabletEnvironment> environments,
      CompletableFuture<ReplicaEnvironment> replicas,
      AncientHistory history) {
    this.directories = directories;
    this.files = files;
    this.logMessages = new TabletLogMessages(directories.instance().uuid());
    this.starter = new ReplicaStarter(environments, replicas, history);
    TombstoneStore tombstones = new TombstoneStore(directories, files);
    this.opening =
        new StartupOpening(directories, tablets, tombstones, starter, times, logMessages);
    this.remover = new TabletRemover(directories, files, tablets, tombstones, logMessages);
    this.copies = new CopyLifeCycle(tablets, tombstones, starter, remover, logMessages);
  }

  /**
   * @param listener receives the id of each tablet that changes; must not block
   */
  public void onChange(Consumer<String> listener) {
    tablets.onChange(listener);
  }

  /**
   * Opens the tablets on disk, several at a time on the executor; completes when each is open or
   * has failed. Tablets open in the order of their ids: if all servers are started together, the
   * replicas of a tablet start at about the same time, and none of them starts an election in which
   * the others cannot vote.
   */
  public CompletableFuture<Void> openAll(Executor executor) throws IOException {
    return opening.openAll(executor);
  }

  /** The progress of {@link #openAll}. */
  public Startup.Progress opening() {
    return times.progress();
  }

  /**
   * Creates a tablet and starts its replica; a repeated request succeeds. If a crash interrupted an
   * earlier creation of the tablet, its remainder, which never had a row, is removed first.
   *
   * @return the tablet
   * @throws KuduException INVALID_ARGUMENT for an invalid request, before any change; ILLEGAL_STATE
   *     for a tablet that was deleted; SERVICE_UNAVAILABLE for a tablet that is on disk and not
   *     open yet
   * @throws TabletServerError TABLET_ALREADY_EXISTS if there is a tombstone or a copy in progress
   */
  public HostedTablet create(CreateTabletRequestPB request) throws IOException {
    NewTablet wanted = NewTablet.of(request, directories.instance().uuid());
    HostedTablet left = tablets.find(wanted.tabletId());
    if (left != null && left.now().isRemainder()) {
      remover.delete(left);
    }
    HostedTablet hosted = new HostedTablet(wanted.tabletId());
    synchronized (hosted) {
      HostedTablet existing = tablets.putIfAbsent(hosted);
      if (existing != null) {
        checkMayBeCreated(existing);
        return existing;
      }
      try {
        checkIsNew(wanted.tabletId());
        create(hosted, wanted);
      } catch (IOException | RuntimeException e) {
        tablets.remove(hosted);
        throw e;
      }
    }
    tablets.changed(hosted);
    return hosted;
  }

  /** Called when an alteration of a tablet, which this server leads, has been applied. */
  public void altered(HostedTablet hosted) {
    tablets.changed(hosted);
  }

  private static void checkMayBeCreated(HostedTablet existing) {
    if (existing.dataState() != TabletDataState.TABLET_DATA_READY) {
      throw new TabletServerError(
          TabletServerErrorPB.Code.TABLET_ALREADY_EXISTS,
          StatusCode.ALREADY_PRESENT,
          "Tablet "
              + existing.tabletId()
              + " already exists on this server: "
              + existing.lastStatus());
    }
  }

  /**
   * Checks that the tablet was not deleted and is not on disk. The caller has entered it in {@code
   * tablets} before: a concurrent deletion first records the id in {@code deleted} and then looks
   * in {@code tablets}, so at least one of the two threads finds what the other recorded.
   */
  private void checkIsNew(String tabletId) {
    if (deleted.contains(tabletId)) {
      throw KuduException.illegalState(
          "Tablet %s was deleted on this server; it cannot be re-created here", tabletId);
    }
    // The directory is kept: this request has not created it.
    if (directories.findTablet(tabletId) != null) {
      throw KuduException.serviceUnavailable(
          "Tablet %s is on this server but is not open yet; try again", tabletId);
    }
  }

  private void create(HostedTablet hosted, NewTablet wanted) throws IOException {
    long startNanos = System.nanoTime();
    Path directory = directories.placeTablet(wanted.tabletId());
    try {
      starter.awaitRaft();
      OpenTablet opened =
          starter.create(
              directory,
              wanted.descriptor(),
              wanted.members(),
              replica -> tablets.changed(wanted.tabletId()));
      hosted.change(now -> now.opened(opened));
      long nanos = System.nanoTime() - startNanos;
      times.created(nanos);
      logMessages.created(opened.tablet(), opened.replica(), wanted.memberUuids(), nanos);
    } catch (IOException | RuntimeException e) {
      files.deleteTree(directory);
      throw e;
    }
  }

  /**
   * Stops the replica and removes log and data. From now on this server rejects requests to create
   * the tablet, even if it does not have the tablet: such a request may have been delayed.
   *
   * @return whether this server had the tablet
   */
  public boolean delete(String tabletId) throws IOException {
    HexId.require("tablet_id", tabletId);
    deleted.add(tabletId);
    HostedTablet hosted = tablets.find(tabletId);
    if (hosted == null) {
      return false;
    }
    long startNanos = System.nanoTime();
    remover.delete(hosted);
    long nanos = System.nanoTime() - startNanos;
    times.deleted(nanos);
    logMessages.deleted(tabletId, nanos);
    return true;
  }

  /**
   * Stops the replica and replaces its log and data by a tombstone. If the tablet already has a
   * tombstone, nothing changes.
   *
   * @return whether there was a replica or a tombstone
   */
  public boolean tombstone(String tabletId, String reason) throws IOException {
    HostedTablet hosted = tablets.find(tabletId);
    if (hosted == null) {
      return false;
    }
    remover.tombstone(hosted, reason);
    return true;
  }

  /** The life cycle of copies of tablets to this server. */
  public CopyLifeCycle copies() {
    return copies;
  }

  RegistryTimes times() {
    return times;
  }

  /** The tablet, or null. */
  public @Nullable HostedTablet find(String tabletId) {
    return tablets.find(tabletId);
  }

  public Collection<HostedTablet> all() {
    return tablets.all();
  }

  /** The open tablets, for the server's maintenance. */
  public Collection<MaintainedTablet> maintained() {
    return tablets.all().stream()
        .map(hosted -> hosted.now().open())
        .filter(Objects::nonNull)
        .map(OpenTablet::maintained)
        .toList();
  }

  /**
   * The tablet, if it serves requests.
   *
   * @throws KuduException TABLET_NOT_FOUND, TABLET_NOT_RUNNING or TABLET_FAILED
   */
  public HostedTablet running(ByteString tabletId) {
    HostedTablet hosted = requireTablet(tabletId);
    hosted.checkRunning();
    return hosted;
  }

  /**
   * @throws KuduException TABLET_NOT_FOUND
   */
  public HostedTablet requireTablet(ByteString tabletId) {
    HostedTablet hosted = tablets.find(tabletId.toStringUtf8());
    if (hosted == null) {
      throw new TabletServerError(
          TabletServerErrorPB.Code.TABLET_NOT_FOUND,
          StatusCode.NOT_FOUND,
          "Tablet not found: "
              + (HexId.isValid(tabletId)
                  ? tabletId.toStringUtf8()
                  : UntrustedText.format(tabletId)));
    }
    return hosted;
  }

  /**
   * Handles a failure to read rows of a tablet: corrupt data fails the tablet.
   *
   * @return the failure to return to the reader
   */
  public Throwable readFailed(String tabletId, Throwable failure) {
    HostedTablet hosted = tablets.find(tabletId);
    return hosted == null || !hosted.isOpen() ? failure : hosted.readFailed(failure);
  }

  /** Stops all replicas. Their files remain. */
  @Override
  public void close() {
    for (HostedTablet hosted : tablets.all()) {
      hosted.change(HostedState::stopping);
      OpenTablet open = hosted.now().open();
      if (open != null) {
        open.replica().close();
      }
    }
  }
}
