package dev.kudu4j.tserver.tablets;

import dev.kudu4j.common.id.UntrustedText;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.server.fs.ServerFiles;
import dev.kudu4j.server.raft.log.RaftLogs;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.TabletStatistics;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Opens the tablets on disk when the server starts. The result for each tablet is a replica, a
 * tombstone or a failure. A tablet that cannot be opened does not affect other tablets.
 */
final class StartupOpening {
  private final ServerFiles directories;
  private final HostedTablets tablets;
  private final TombstoneStore tombstones;
  private final ReplicaStarter starter;
  private final RegistryTimes times;
  private final TabletLogMessages logMessages;

  StartupOpening(
      ServerFiles directories,
      HostedTablets tablets,
      TombstoneStore tombstones,
      ReplicaStarter starter,
      RegistryTimes times,
      TabletLogMessages logMessages) {
    this.directories = directories;
    this.tablets = tablets;
    this.tombstones = tombstones;
    this.starter = starter;
    this.times = times;
    this.logMessages = logMessages;
  }

  /** See {@link TabletRegistry#openAll}. */
  CompletableFuture<Void> openAll(Executor executor) throws IOException {
    List<CompletableFuture<Void>> opening = new ArrayList<>();
    List<Path> found = directories.tablets();
    times.opening(found.size());
    long startNanos = System.nanoTime();
    for (Path directory : found) {
      HostedTablet hosted = new HostedTablet(directory.getFileName().toString());
      tablets.put(hosted);
      opening.add(CompletableFuture.runAsync(() -> open(hosted, directory), executor));
    }
    return CompletableFuture.allOf(opening.toArray(CompletableFuture[]::new))
        .thenRun(
            () ->
                logMessages.allOpened(
                    found.size(),
                    (int) tablets.all().stream().filter(one -> one.cause() != null).count(),
                    System.nanoTime() - startNanos));
  }

  private void open(HostedTablet hosted, Path directory) {
    synchronized (hosted) {
      try {
        Optional<Tombstone> tombstone = tombstone(hosted, directory);
        if (tombstone.isPresent() && !tombstones.isCompleteCopy(tombstone.get(), directory)) {
          tombstones.sweep(tombstone.get(), directory);
          hosted.change(now -> now.tombstoned(tombstone.get()));
          logMessages.foundTombstone(hosted);
        } else {
          openReplica(hosted, directory, tombstone.isPresent());
        }
      } catch (IOException | RuntimeException e) {
        failed(hosted, e, false);
      } finally {
        times.opened();
        tablets.changed(hosted);
      }
    }
  }

  private Optional<Tombstone> tombstone(HostedTablet hosted, Path directory) throws IOException {
    Optional<Tombstone> tombstone = tombstones.find(directory);
    if (tombstone.isPresent() && !tombstone.get().tabletId().equals(hosted.tabletId())) {
      throw KuduException.corruption(
          "The directory of tablet %s contains the tombstone of tablet %s",
          hosted.tabletId(), UntrustedText.format(tombstone.get().tabletId()));
    }
    return tombstone;
  }

  /**
   * @param isCopy whether the tablet is a copy that is complete except for the removal of the
   *     tombstone
   */
  private void openReplica(HostedTablet hosted, Path directory, boolean isCopy) {
    String tabletId = hosted.tabletId();
    boolean neverRan = !RaftLogs.exists(directories.raftDirectory(), tabletId);
    try {
      starter.awaitRaft();
      long startNanos = System.nanoTime();
      Tablet tablet = starter.openTablet(directory);
      neverRan = tablet.checkpoint().index() < 0;
      TabletStatistics sizes = tablet.statistics();
      OpenTablet opened =
          starter.restart(
              tabletId,
              tablet,
              replica -> tablets.changed(tabletId),
              isCopy ? () -> tombstones.remove(directory) : ReplicaStarter.LastStep.NONE);
      logMessages.opened(tablet, sizes, opened.replica(), System.nanoTime() - startNanos);
      hosted.change(now -> now.opened(opened));
    } catch (IOException | RuntimeException e) {
      boolean notFound = e instanceof KuduException known && known.code() == StatusCode.NOT_FOUND;
      failed(hosted, e, neverRan && notFound);
    }
  }

  private void failed(HostedTablet hosted, Exception cause, boolean remainder) {
    logMessages.cannotBeOpened(hosted.tabletId(), cause);
    hosted.change(now -> now.failed(cause, remainder));
  }
}
