package dev.kudu4j.master.tables;

import dev.kudu4j.master.catalog.TabletInfo;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Which replicas of dropped tablets are gone for good: their servers were asked to delete them, and
 * said that there is none. A server that said so creates none either, should a request to create it
 * come late: in that run because it remembers, and in a later run because the request was meant for
 * an earlier one. That a report does not name a replica is no such proof.
 *
 * <p>Not stored: a new leader asks again, and "there is none" is an answer too.
 *
 * <p>A tablet is remembered for a while after that, because a master that does not know yet that it
 * was deposed may act on what it remembers. Were a tablet forgotten while a replica may still come
 * to be, that would stay for ever: one that no record knows is left alone, since it may belong to a
 * cluster whose masters were set up wrongly.
 *
 * <p>Thread-safe.
 */
final class Deletions {
  private final LongSupplier nanoClock;
  private final long lingerNanos;
  private final Map<String, Map<String, Long>> goneSinceByTablet = new ConcurrentHashMap<>();

  /**
   * @param lingerMillis how long a dropped tablet is remembered after its last replica is gone
   */
  Deletions(LongSupplier nanoClock, long lingerMillis) {
    this.nanoClock = nanoClock;
    this.lingerNanos = TimeUnit.MILLISECONDS.toNanos(lingerMillis);
  }

  void replicaGone(String tabletId, String serverUuid) {
    goneSinceByTablet
        .computeIfAbsent(tabletId, id -> new ConcurrentHashMap<>())
        .putIfAbsent(serverUuid, nanoClock.getAsLong());
  }

  /** There is one after all. */
  void replicaSeen(String tabletId, String serverUuid) {
    goneSinceByTablet.computeIfPresent(
        tabletId,
        (id, goneSince) -> {
          goneSince.remove(serverUuid);
          return goneSince;
        });
  }

  boolean isGone(String tabletId, String serverUuid) {
    return goneSinceByTablet.getOrDefault(tabletId, Map.of()).containsKey(serverUuid);
  }

  /** Whether no server has had a replica for long enough. */
  boolean isForgettable(TabletInfo tablet) {
    Map<String, Long> goneSince = goneSinceByTablet.getOrDefault(tablet.id(), Map.of());
    long now = nanoClock.getAsLong();
    return tablet
        .holders()
        .map(goneSince::get)
        .allMatch(since -> since != null && now - since >= lingerNanos);
  }

  void forget(String tabletId) {
    goneSinceByTablet.remove(tabletId);
  }
}
