package dev.kudu4j.tserver.scan;

import dev.kudu4j.common.proto.common.ReadMode;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.time.Epochs;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.common.time.HybridTime;
import dev.kudu4j.server.maintenance.AncientHistory;
import dev.kudu4j.server.replica.SafeTime;
import dev.kudu4j.tserver.error.TabletServerError;
import dev.kudu4j.tserver.tablets.Derivation;
import dev.kudu4j.tserver.tablets.HostedTablet;
import java.util.Collection;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the snapshot of a scan and waits until the snapshot can be read and is final, so the same
 * scan returns the same rows at any later time. The wait is a future; no thread blocks.
 *
 * @param snapshot the scan sees exactly the operations with a lower timestamp
 * @param reportedTimestamp the timestamp in the reply; -1 for READ_LATEST, whose reply has none
 */
record SnapshotChoice(long snapshot, long reportedTimestamp) {
  /**
   * @param others tablets of this server; a stale scan may read those of the same table next
   */
  static CompletableFuture<SnapshotChoice> choose(
      NewScanRequestPB request,
      HostedTablet tablet,
      Collection<HostedTablet> others,
      HybridClock clock,
      AncientHistory history,
      RpcCall call) {
    CompletableFuture<SnapshotChoice> choice =
        switch (request.getReadMode()) {
          case READ_AT_SNAPSHOT -> atSnapshot(request, tablet, others, clock, history, call);
          case READ_YOUR_WRITES -> yourWrites(request, tablet, clock, call);
          default -> {
            if (request.hasPropagatedTimestamp()
                && clock.isTrusted(request.getPropagatedTimestamp())) {
              clock.update(request.getPropagatedTimestamp());
            }
            yield latest(tablet, call);
          }
        };
    return choice.thenApply(
        chosen -> {
          if (request.hasSnapStartTimestamp()) {
            new SnapshotChoice(request.getSnapStartTimestamp(), 0).checkedFor(tablet);
          }
          return chosen.checkedFor(tablet);
        });
  }

  /** Rejects snapshots that a derived tablet does not have. */
  private SnapshotChoice checkedFor(HostedTablet tablet) {
    Derivation derivation = tablet.derivation();
    if (derivation == null || snapshot >= derivation.buildTimestamp()) {
      return this;
    }
    if (reportedTimestamp < 0) {
      throw KuduException.serviceUnavailable(
          "Tablet %s of index %s is still being built; try again",
          tablet.tabletId(), derivation.index().name());
    }
    throw invalid(
        String.format(
            Locale.ROOT,
            "Index %s has no rows of snapshots before it was created; scan the table instead."
                + " Snapshot timestamp: %d microseconds, creation of the index: %d microseconds",
            derivation.index().name(),
            HybridTime.micros(snapshot),
            HybridTime.micros(derivation.buildTimestamp())));
  }

  /**
   * Like {@link #choose}, but a scan of the latest rows may be as old as the table's property says.
   */
  static CompletableFuture<SnapshotChoice> chooseForScan(
      NewScanRequestPB request,
      HostedTablet tablet,
      Collection<HostedTablet> others,
      HybridClock clock,
      AncientHistory history,
      RpcCall call) {
    long stalenessMicros =
        request.getReadMode() == ReadMode.READ_LATEST ? tablet.readFreshnessMicros() : 0;
    if (stalenessMicros == 0) {
      return choose(request, tablet, others, clock, history, call);
    }
    long ancient = history.mark(tablet.maintenanceConfig().historySeconds());
    return atMostSoOld(stalenessMicros, tablet, null, clock, ancient, call)
        .thenApply(choice -> new SnapshotChoice(choice.snapshot, -1).checkedFor(tablet));
  }

  /**
   * A snapshot of the applied operations. If the replica is still replaying its log, waits until it
   * is current.
   */
  private static CompletableFuture<SnapshotChoice> latest(HostedTablet tablet, RpcCall call) {
    if (tablet.replica().isCurrent()) {
      return CompletableFuture.completedFuture(latest(tablet));
    }
    return whenCurrent(tablet, call).thenApply(done -> latest(tablet));
  }

  /**
   * Completed when the replica has replayed its log, before which its rows and its schema may be
   * old.
   */
  static CompletableFuture<Void> whenCurrent(HostedTablet tablet, RpcCall call) {
    return tablet
        .replica()
        .whenCurrent()
        .orTimeout(ReadWait.nanos(call), TimeUnit.NANOSECONDS)
        .handle(
            (done, failure) -> {
              if (failure instanceof TimeoutException) {
                throw KuduException.serviceUnavailable(
                    "The replica of tablet %s is still replaying its log; try again",
                    tablet.tabletId());
              } else if (failure != null) {
                throw ReadWait.later(failure);
              }
              return null;
            });
  }

  private static SnapshotChoice latest(HostedTablet tablet) {
    return new SnapshotChoice(tablet.tablet().latestSnapshot(), -1);
  }

  private static CompletableFuture<SnapshotChoice> atSnapshot(
      NewScanRequestPB request,
      HostedTablet tablet,
      Collection<HostedTablet> others,
      HybridClock clock,
      AncientHistory history,
      RpcCall call) {
    updateClock(request, clock);
    long ancient = history.mark(tablet.maintenanceConfig().historySeconds());
    checkKept("start", request.hasSnapStartTimestamp(), request.getSnapStartTimestamp(), ancient);
    checkKept("end", request.hasSnapTimestamp(), request.getSnapTimestamp(), ancient);
    SafeTime safeTime = tablet.replica().safeTime();
    if (!request.hasSnapTimestamp() && request.hasMaxStalenessMicros()) {
      return atMostSoOld(request.getMaxStalenessMicros(), tablet, others, clock, ancient, call);
    }
    if (!request.hasSnapTimestamp()) {
      return chosen(safeTime.whenLatestIsReadable(clock.now(), ReadWait.nanos(call)));
    }
    long snapshot = request.getSnapTimestamp();
    if (!clock.isTrusted(snapshot)) {
      throw invalid("cannot verify timestamp: Snapshot time " + snapshot + " in the future");
    }
    return readable(snapshot, safeTime, call);
  }

  /**
   * Chooses the cheapest snapshot that is at most so old by this server's clock: one that needs
   * nothing from memory, at the boundary of an epoch if the table has epochs, or else the newest
   * one that this replica can read now. If that is too old, waits for the oldest one that is
   * wanted. Leaves out the oldest quarter of the history.
   *
   * @param others the server's tablets; null if each tablet is read at a snapshot of its own
   */
  private static CompletableFuture<SnapshotChoice> atMostSoOld(
      long stalenessMicros,
      HostedTablet tablet,
      @Nullable Collection<HostedTablet> others,
      HybridClock clock,
      long ancient,
      RpcCall call) {
    SafeTime safeTime = tablet.replica().safeTime();
    long now = clock.now();
    long kept = ancient + (now - ancient) / 4; // the rest of the scan needs time
    if (stalenessMicros == 0) {
      return chosen(safeTime.whenLatestIsReadable(now, ReadWait.nanos(call)));
    }
    long oldest =
        Math.max(kept, HybridTime.ofMicros(oldestMicros(HybridTime.micros(now), stalenessMicros)));
    long readable = safeTime.now();
    long flushed = Math.min(readable, tablet.tablet().oldestInMemory());
    if (readable < oldest) {
      return readable(oldest, safeTime, call);
    }
    long snapshot;
    if (flushed < oldest) {
      snapshot = readable;
    } else {
      snapshot = others == null ? flushed : commonToTablets(tablet, others, flushed, oldest);
    }
    return CompletableFuture.completedFuture(new SnapshotChoice(snapshot, snapshot));
  }

  /**
   * The last boundary of the table's epochs up to a snapshot that needs nothing from memory, here
   * and if possible in the table's other tablets on this server. The snapshot itself without
   * epochs, or if the boundary is too old.
   */
  private static long commonToTablets(
      HostedTablet tablet, Collection<HostedTablet> others, long flushed, long oldest) {
    Epochs epochs = tablet.tablet().epochs();
    if (!epochs.exist() || epochs.boundary(flushed) < oldest) {
      return flushed;
    }
    String tableId = tablet.tablet().descriptor().tableId();
    long flushedByAll = flushed;
    for (HostedTablet other : others) {
      flushedByAll = Math.min(flushedByAll, other.oldestInMemory(tableId));
    }
    long common = epochs.boundary(flushedByAll);
    return common < oldest ? epochs.boundary(flushed) : common;
  }

  private static long oldestMicros(long nowMicros, long stalenessMicros) {
    // The hybrid time of the clock is rounded up, so that the result is never older than asked.
    return stalenessMicros < 0 || stalenessMicros > nowMicros ? 0 : nowMicros - stalenessMicros + 1;
  }

  /**
   * Rejects timestamps below the ancient history mark, because UNDO deltas below the mark may have
   * been removed.
   */
  private static void checkKept(String which, boolean present, long timestamp, long ancient) {
    if (present && Long.compareUnsigned(timestamp, ancient) < 0) {
      throw invalid(
          String.format(
              Locale.ROOT,
              "snapshot scan %s timestamp is earlier than the ancient history mark. Consider"
                  + " increasing the value of"
                  + " the configuration parameter --tablet_history_max_age_sec, or the table's"
                  + " kudu.table.history_max_age_sec. Snapshot timestamp: %d microseconds, ancient"
                  + " history mark: %d microseconds",
              which,
              HybridTime.micros(timestamp),
              HybridTime.micros(ancient)));
    }
  }

  private static CompletableFuture<SnapshotChoice> yourWrites(
      NewScanRequestPB request, HostedTablet tablet, HybridClock clock, RpcCall call) {
    updateClock(request, clock);
    SafeTime safeTime = tablet.replica().safeTime();
    long snapshot = safeTime.now();
    if (request.hasPropagatedTimestamp()) {
      snapshot = Math.max(snapshot, request.getPropagatedTimestamp() + 1);
    }
    return readable(snapshot, safeTime, call);
  }

  private static void updateClock(NewScanRequestPB request, HybridClock clock) {
    if (request.hasPropagatedTimestamp()) {
      try {
        clock.update(request.getPropagatedTimestamp());
      } catch (KuduException e) {
        throw invalid(String.valueOf(e.getMessage()));
      }
    }
  }

  private static CompletableFuture<SnapshotChoice> readable(
      long snapshot, SafeTime safeTime, RpcCall call) {
    return chosen(
        safeTime.whenReadable(snapshot, ReadWait.nanos(call)).thenApply(done -> snapshot));
  }

  private static CompletableFuture<SnapshotChoice> chosen(CompletableFuture<Long> readable) {
    return readable.handle(
        (snapshot, failure) -> {
          if (failure != null) {
            throw ReadWait.later(failure);
          }
          return new SnapshotChoice(snapshot, snapshot);
        });
  }

  private static TabletServerError invalid(String message) {
    return new TabletServerError(
        TabletServerErrorPB.Code.INVALID_SNAPSHOT, StatusCode.INVALID_ARGUMENT, message);
  }
}
