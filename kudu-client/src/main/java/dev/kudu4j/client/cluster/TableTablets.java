package dev.kudu4j.client.cluster;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.partition.Partition;
import dev.kudu4j.common.proto.master.GetTableLocationsRequestPB;
import dev.kudu4j.common.proto.master.GetTableLocationsResponsePB;
import dev.kudu4j.common.proto.master.TableIdentifierPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The cached locations of one table's tablets. Each request to the master returns the locations of
 * several tablets. Locations are corrected when a replica turns out to be on another server.
 * Partition keys may fall into ranges that no tablet covers. Thread-safe; {@link #cached} takes no
 * lock.
 *
 * <p>At most one request to the master is in flight per table. Other callers wait for its response
 * and look into the cache again, so a thousand rows of unknown tablets cause one request.
 */
public final class TableTablets {
  private static final int TABLETS_AROUND_A_KEY = 64;
  private static final int TABLETS_OF_A_RANGE = 1_000;
  private static final int MAX_QUESTIONS = 3;

  private static final MasterCall<GetTableLocationsResponsePB> GET_TABLE_LOCATIONS =
      MasterCall.of(
          "GetTableLocations",
          GetTableLocationsResponsePB.parser(),
          GetTableLocationsResponsePB::getError);

  private final String tableId;
  private volatile String tableName = ""; // name at the last opening of the table
  private final MasterCaller masters;
  private final Timers timers;
  private final Map<String, RemoteTablet> byId = new ConcurrentHashMap<>();
  private volatile LocationCache cache = LocationCache.EMPTY;
  private CompletableFuture<Void> question; // request in flight, or null; guarded by this

  /**
   * The tablet or the gap that covers a partition key.
   *
   * @param tablet null for a gap
   * @param start start of the tablet's partition or of the gap, inclusive; empty for unbounded
   * @param end end of the tablet's partition or of the gap, exclusive; empty for unbounded
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Cover(RemoteTablet tablet, byte[] start, byte[] end) {
    public boolean isGap() {
      return tablet == null;
    }
  }

  TableTablets(String tableId, MasterCaller masters, Timers timers) {
    this.tableId = tableId;
    this.masters = masters;
    this.timers = timers;
  }

  public String tableId() {
    return tableId;
  }

  void setTableName(String name) {
    if (!name.equals(tableName)) {
      tableName = name;
    }
  }

  /** The table as text: its name, if it is known, and id. */
  @Override
  public String toString() {
    return tableName.isEmpty() ? tableId : tableName + " (" + tableId + ")";
  }

  /**
   * The tablet of {@code partitionKey} if it is known, else null. Called for each row; allocates
   * nothing.
   */
  public RemoteTablet cached(KeyBuffer partitionKey) {
    Cover cover = cache.find(partitionKey.array(), partitionKey.length());
    return cover == null ? null : cover.tablet();
  }

  /** The tablet or gap at {@code partitionKey}. Asks the master when the cache does not have it. */
  public CompletableFuture<Cover> at(byte[] partitionKey, Deadline deadline) {
    return at(partitionKey, TABLETS_AROUND_A_KEY, deadline, 0);
  }

  private CompletableFuture<Cover> at(byte[] key, int limit, Deadline deadline, int asked) {
    Cover cover = cache.findFresh(key, System.nanoTime());
    if (asked == 0) {
      masters.activity().locationWanted(cover != null);
    }
    if (cover != null) {
      return CompletableFuture.completedFuture(cover);
    }
    if (asked == MAX_QUESTIONS) {
      return CompletableFuture.failedFuture(
          KuduException.of(
              StatusCode.INCOMPLETE,
              "The master reports no tablet or gap for a key of table %s, which may be changing",
              tableId));
    }
    return ask(key, limit, deadline)
        .thenCompose(mine -> at(key, limit, deadline, mine ? asked + 1 : asked));
  }

  /**
   * All tablets that overlap the partition keys from {@code start} to {@code end} (empty for
   * unbounded), in order.
   */
  public CompletableFuture<List<RemoteTablet>> between(
      byte[] start, byte[] end, Deadline deadline) {
    return collect(start, end, deadline, new ArrayList<>());
  }

  private CompletableFuture<List<RemoteTablet>> collect(
      byte[] start, byte[] end, Deadline deadline, List<RemoteTablet> found) {
    return at(start, TABLETS_OF_A_RANGE, deadline, 0)
        .thenCompose(cover -> collectFrom(cover, end, deadline, found));
  }

  private CompletableFuture<List<RemoteTablet>> collectFrom(
      Cover first, byte[] end, Deadline deadline, List<RemoteTablet> found) {
    Cover cover = first;
    while (cover != null) {
      if (!cover.isGap()) {
        found.add(cover.tablet());
      }
      byte[] next = cover.end();
      if (next.length == 0 || (end.length > 0 && Arrays.compareUnsigned(next, end) >= 0)) {
        return CompletableFuture.completedFuture(found);
      }
      cover = cache.findFresh(next, System.nanoTime());
      if (cover == null) {
        return collect(next, end, deadline, found);
      }
    }
    throw new IllegalStateException("unreachable");
  }

  /** Like {@link #between}, but asks the master instead of using cached locations. */
  public CompletableFuture<List<RemoteTablet>> betweenAnew(
      byte[] start, byte[] end, Deadline deadline) {
    return askAnew(start, deadline).thenCompose(done -> between(start, end, deadline));
  }

  /**
   * All tablets as the master knows them now, up to the first thousand; the others as {@link
   * #between} returns them. Other users of the cache do not notice.
   */
  public CompletableFuture<List<RemoteTablet>> current(Deadline deadline) {
    byte[] all = new byte[0];
    return ask(all, TABLETS_OF_A_RANGE, deadline)
        .thenCompose(mine -> mine ? between(all, all, deadline) : current(deadline));
  }

  int knownLocations() {
    return cache.size();
  }

  /**
   * Forgets the cover of {@code partitionKey}, because its tablet was dropped or replaced: the next
   * lookup asks the master.
   */
  public synchronized void forget(byte[] partitionKey) {
    cache = cache.without(partitionKey);
  }

  /** Forgets everything, because ranges were added or dropped. */
  public synchronized void forgetAll() {
    cache = LocationCache.EMPTY;
  }

  /** Forgets the gaps, because tablets may have been added in them. */
  public synchronized void forgetGaps() {
    cache = cache.withoutGaps();
  }

  /** Drops the expired covers. */
  synchronized void forgetExpired() {
    cache = cache.withoutExpired(System.nanoTime());
  }

  /**
   * Adds the locations of one tablet that another client found, such as the writer of a scan token.
   */
  public RemoteTablet remember(
      String tabletId, Partition partition, List<RemoteReplica> replicas, long ttlMillis) {
    var reported = new LocationAnswer.ReportedTablet(tabletId, partition, replicas);
    synchronized (this) {
      RemoteTablet known = byId.get(tabletId);
      if (known != null && !known.isGone()) {
        return known; // this client's own locations are kept
      }
      long now = System.nanoTime();
      RemoteTablet tablet = remote(reported, now);
      cache =
          cache.with(
              List.of(new Cover(tablet, partition.start(), partition.end())),
              now + TimeUnit.MILLISECONDS.toNanos(ttlMillis));
      return tablet;
    }
  }

  /**
   * Asks the master about a tablet again, because the known locations proved wrong.
   *
   * @param since when the locations proved wrong, on the scale of nanoTime; the response to a
   *     request that was sent later is new enough
   */
  CompletableFuture<Void> refresh(RemoteTablet tablet, long since, Deadline deadline) {
    if (tablet.isGone() || tablet.askedNanos() - since >= 0) {
      return CompletableFuture.completedFuture(null);
    }
    return ask(tablet.partition().start(), TABLETS_AROUND_A_KEY, deadline)
        .thenCompose(
            mine ->
                mine ? CompletableFuture.completedFuture(null) : refresh(tablet, since, deadline));
  }

  private CompletableFuture<Void> askAnew(byte[] key, Deadline deadline) {
    forgetAll();
    return ask(key, TABLETS_OF_A_RANGE, deadline)
        .thenCompose(
            mine -> mine ? CompletableFuture.completedFuture(null) : askAnew(key, deadline));
  }

  /**
   * Asks the master for the tablets at {@code key} and after it, or waits for the response to the
   * request in flight.
   *
   * @return true if this call sent a request; false if it waited for another call's request
   */
  private CompletableFuture<Boolean> ask(byte[] key, int limit, Deadline deadline) {
    CompletableFuture<Void> running;
    CompletableFuture<Void> mine = new CompletableFuture<>();
    synchronized (this) {
      running = question;
      if (running == null) {
        question = mine;
      }
    }
    if (running != null) {
      return waitFor(running, deadline);
    }
    long asked = System.nanoTime();
    return masters
        .call(GET_TABLE_LOCATIONS, request(key, limit), deadline)
        .whenComplete((answer, failure) -> accept(answer, failure, key, limit, asked, mine))
        .thenApply(answer -> true);
  }

  private GetTableLocationsRequestPB request(byte[] key, int limit) {
    GetTableLocationsRequestPB.Builder request =
        GetTableLocationsRequestPB.newBuilder()
            .setTable(TableIdentifierPB.newBuilder().setTableId(ByteString.copyFromUtf8(tableId)))
            .setMaxReturnedLocations(limit)
            .setInternTsInfosInResponse(true);
    if (key.length > 0) {
      request.setPartitionKeyStart(ByteString.copyFrom(key));
    }
    return request.build();
  }

  private void accept(
      GetTableLocationsResponsePB answer,
      Throwable failure,
      byte[] key,
      int limit,
      long asked,
      CompletableFuture<Void> waitedFor) {
    try {
      if (failure == null) {
        learn(answer, key, limit, asked);
      }
    } finally {
      synchronized (this) {
        question = null;
      }
      if (failure == null || Failures.isTimeout(failure)) {
        waitedFor.complete(null); // each waiter has its own deadline and asks the master itself
      } else {
        waitedFor.completeExceptionally(failure);
      }
    }
  }

  private synchronized void learn(
      GetTableLocationsResponsePB answer, byte[] key, int limit, long asked) {
    List<LocationAnswer.ReportedTablet> reported = LocationAnswer.tablets(answer);
    boolean isAll = reported.size() < limit;
    List<Cover> covers =
        LocationAnswer.covers(reported, key, isAll, tablet -> remote(tablet, asked));
    long expire = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(answer.getTtlMillis());
    LocationCache next = cache.with(covers, expire);
    dropReplaced(covers, next);
    cache = next;
  }

  private RemoteTablet remote(LocationAnswer.ReportedTablet reported, long asked) {
    RemoteTablet known = byId.get(reported.tabletId());
    if (known == null || known.isGone()) {
      RemoteTablet fresh =
          new RemoteTablet(
              this, reported.tabletId(), reported.partition(), reported.replicas(), asked);
      byId.put(reported.tabletId(), fresh);
      return fresh;
    }
    known.update(reported.replicas(), asked);
    return known;
  }

  /**
   * Drops tablets that no longer exist: those that start in the key range of the response, but that
   * the response does not name.
   */
  private void dropReplaced(List<Cover> covers, LocationCache next) {
    byte[] from = covers.get(0).start();
    byte[] to = covers.get(covers.size() - 1).end();
    byId.values()
        .removeIf(
            tablet -> {
              byte[] start = tablet.partition().start();
              boolean inside =
                  Arrays.compareUnsigned(start, from) >= 0
                      && (to.length == 0 || Arrays.compareUnsigned(start, to) < 0);
              if (!inside) {
                return false;
              }
              Cover now = next.find(start, start.length);
              if (now != null && now.tablet() == tablet) {
                return false;
              }
              tablet.markGone();
              return true;
            });
  }

  /** Waits for the response to another caller's request, at most until this deadline. */
  private CompletableFuture<Boolean> waitFor(CompletableFuture<Void> running, Deadline deadline) {
    CompletableFuture<Boolean> waiting = running.thenApply(done -> false);
    timers.within(
        waiting,
        deadline,
        () ->
            KuduException.timedOut(
                "The master did not report the tablet locations of table %s in time", this));
    return waiting;
  }
}
