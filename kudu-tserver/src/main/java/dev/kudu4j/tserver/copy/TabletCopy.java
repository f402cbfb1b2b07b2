package dev.kudu4j.tserver.copy;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.server.logging.ReplicaPrefix;
import dev.kudu4j.server.raft.RaftHost;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tserver.tablets.CopyLifeCycle;
import dev.kudu4j.tserver.tablets.CopyProgress;
import dev.kudu4j.tserver.tablets.HostedTablet;
import dev.kudu4j.tserver.tablets.Tombstone;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One copy of a tablet to this server, from the first request to the source to the running replica.
 * If the source fails, the copy retries for a while and keeps the files that are complete. One
 * thread runs it.
 */
final class TabletCopy {
  /** The copy fails if the source has sent nothing for this long. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long LONGEST_PAUSE_MILLIS = 5_000;

  /**
   * The settings of all copies to this server.
   *
   * @param serverUuid this server
   * @param chunkBytes the maximum bytes of one response
   * @param chunksUnderWay the maximum number of outstanding requests of one copy
   * @param closing the count becomes 0 when the server stops
   */
  record Settings(
      String serverUuid,
      Path raftDirectory,
      int chunkBytes,
      int chunksUnderWay,
      CountDownLatch closing) {}

  private final Settings settings;
  private final CopyLifeCycle copies;
  private final CopySource source;
  private final HostedTablet hosted;
  private final CopyProgress progress;
  private final boolean forced;
  private final CopyMeters meters;
  private final LongSupplier nanoTime;
  private final CompletableFuture<Void> begun = new CompletableFuture<>();
  private @Nullable CopyDirectory directory; // null until the source has made an offer
  private CopySource.@Nullable Offer offer; // the last one of the source
  private long lastHeardNanos;

  /**
   * @param hosted a result of {@link CopyLifeCycle#begin}
   * @param forced whether to copy even if the source's log is behind
   */
  TabletCopy(
      Settings settings,
      CopyLifeCycle copies,
      CopySource source,
      HostedTablet hosted,
      boolean forced,
      CopyMeters meters,
      LongSupplier nanoTime) {
    this.settings = settings;
    this.copies = copies;
    this.source = source;
    this.hosted = hosted;
    this.progress = Objects.requireNonNull(hosted.copy(), "the copy has begun");
    this.forced = forced;
    this.meters = meters;
    this.nanoTime = nanoTime;
  }

  /** Completes when the source has provided a checkpoint; fails if it does not. */
  CompletableFuture<Void> begun() {
    return begun;
  }

  /** Runs the copy. The result is a running replica or a tombstone. */
  void run() {
    meters.copyBegun();
    long startNanos = System.nanoTime();
    try {
      CopySource.Offer last = copy();
      CopyLogMessages.copied(
          prefix(), source.uuid(), progress.totalBytes(), System.nanoTime() - startNanos);
      source.end(last, null);
    } catch (IOException | RuntimeException e) {
      KuduException failure =
          e instanceof KuduException known
              ? known
              : new KuduException(StatusCode.IO_ERROR, String.valueOf(e.getMessage()), e);
      CopyLogMessages.failed(prefix(), source.uuid(), failure, System.nanoTime() - startNanos);
      giveUp(failure);
      begun.completeExceptionally(failure);
    } finally {
      meters.copyEnded(System.nanoTime() - startNanos);
    }
  }

  private ReplicaPrefix prefix() {
    return new ReplicaPrefix(hosted.tabletId(), settings.serverUuid());
  }

  /** Returns the last offer, whose files are complete. */
  private CopySource.Offer copy() throws IOException {
    CopySource.Offer offer = ask();
    Path path = copies.directory(hosted);
    CopyDirectory directory = new CopyDirectory(copies.environment(path), settings.raftDirectory());
    this.directory = directory;
    Tombstone before = directory.before(hosted.tabletId());
    checkNotBehind(offer, before);
    begin(directory, offer, before);
    Tombstone earlier = hosted.tombstone();
    CopyLogMessages.started(
        prefix(),
        source.uuid(),
        offer.files().size(),
        offer.bytes(),
        directory.completeBytes(),
        earlier == null
            ? "no earlier replica"
            : "the earlier replica was tombstoned (" + earlier.reason() + ")");
    begun.complete(null);
    lastHeardNanos = nanoTime.getAsLong();
    while (!directory.missing().isEmpty()) {
      try {
        fetch(directory, offer);
      } catch (KuduException e) {
        offer = askAgain(directory, e);
      }
    }
    progress.step("opening");
    directory.install();
    List<RaftHost.Peer> others =
        GroupWire.votersBut(settings.serverUuid(), offer.message().getInitialCstate());
    copies.open(hosted, path, others);
    return offer;
  }

  private CopySource.Offer ask() {
    CopySource.Offer made = source.begin(settings.serverUuid(), hosted.tabletId());
    offer = made;
    return made;
  }

  /**
   * Rejects a source whose log ends before that of the earlier replica: the group may rely on
   * entries that the earlier replica acknowledged.
   */
  private void checkNotBehind(CopySource.Offer offer, Tombstone before) {
    LogPosition here = before.lastLogged();
    LogPosition there = offer.lastLogged();
    boolean behind =
        there.term() < here.term() || (there.term() == here.term() && there.index() < here.index());
    if (behind && !forced) {
      throw KuduException.illegalState(
          "Source is behind: the replica of tablet %s on server %s ends with log entry %d.%d; the"
              + " earlier replica on this server ended with %d.%d. Copy from the leader",
          hosted.tabletId(), source.uuid(), there.term(), there.index(), here.term(), here.index());
    }
  }

  private void begin(CopyDirectory directory, CopySource.Offer offer, Tombstone before)
      throws IOException {
    directory.begin(offer, source.uuid(), before);
    progress.planned(
        offer.files().size(), directory.completeFiles(), offer.bytes(), directory.completeBytes());
    progress.step("downloading");
  }

  private void fetch(CopyDirectory directory, CopySource.Offer offer) throws IOException {
    new ChunkPipeline(source, offer, settings.chunkBytes(), settings.chunksUnderWay())
        .fetch(
            directory.missing(),
            (file, offset, bytes, last) -> {
              checkWanted();
              directory.write(file, offset, bytes, last);
              lastHeardNanos = nanoTime.getAsLong();
              meters.fetched(bytes.length);
              progress.fetched(bytes.length);
              if (last) {
                progress.fileComplete();
              }
            });
  }

  private void checkWanted() {
    if (settings.closing().getCount() == 0) {
      throw KuduException.of(StatusCode.ABORTED, "This server is stopping");
    }
    if (progress.isCancelled()) {
      throw KuduException.of(StatusCode.ABORTED, "The tablet is being deleted");
    }
  }

  /**
   * Tries to begin another session after the source has failed, because it may return. The pauses
   * between the attempts increase. Returns the new offer.
   */
  private CopySource.Offer askAgain(CopyDirectory directory, KuduException cause)
      throws IOException {
    KuduException last = cause;
    long pauseMillis = FIRST_PAUSE_MILLIS;
    directory.closeCurrentFile();
    progress.step("waiting for the source: " + cause.getMessage());
    CopyLogMessages.sourceLost(prefix(), source.uuid(), cause);
    while (isWorthAnotherTry(last)) {
      pause(pauseMillis);
      pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
      try {
        CopySource.Offer offer = ask();
        Tombstone now = directory.now();
        checkNotBehind(offer, now);
        begin(directory, offer, now);
        return offer;
      } catch (KuduException e) {
        last = e;
      }
    }
    throw last;
  }

  private boolean isWorthAnotherTry(KuduException failure) {
    checkWanted();
    return switch (failure.code()) {
      case NOT_FOUND, SERVICE_UNAVAILABLE, NETWORK_ERROR, TIMED_OUT, ILLEGAL_STATE, REMOTE_ERROR ->
          nanoTime.getAsLong() - lastHeardNanos < PATIENCE_NANOS;
      default -> false;
    };
  }

  private void pause(long millis) {
    try {
      if (settings.closing().await(millis, TimeUnit.MILLISECONDS)) {
        checkWanted();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KuduException(StatusCode.ABORTED, "The copy was interrupted", e);
    }
  }

  private void giveUp(KuduException failure) {
    try {
      if (directory != null) {
        directory.closeCurrentFile();
        if (failure.code() == StatusCode.CORRUPTION) {
          directory.distrust();
        }
      }
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
    copies.failed(hosted);
    if (offer != null) {
      source.end(offer, failure);
    }
  }
}
