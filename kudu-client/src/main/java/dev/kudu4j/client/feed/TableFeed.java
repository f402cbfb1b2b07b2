package dev.kudu4j.client.feed;

import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.Failures;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.cluster.TableTablets;
import dev.kudu4j.client.scan.ScanFailures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The changes of a table in the order of their timestamps, over all tablets. A change is delivered
 * when no tablet can have an earlier one: each has delivered or holds a later one, or has reported
 * that it has none.
 *
 * <p>The table's tablets are asked for once a second. One that is new is read from its beginning;
 * its first changes may come after later ones of others. One that no longer exists ends. Used by
 * one thread at a time.
 */
public final class TableFeed {
  private static final long TABLETS_KNOWN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final FeedQuery query;
  private final TableTablets tablets;
  private final Map<String, TabletFeed> feeds = new TreeMap<>();
  private final Map<String, FeedPlace> places; // of tablets that are not known yet
  private final Set<RemoteTablet> gone = ConcurrentHashMap.newKeySet();
  private boolean tabletsKnown;
  private long tabletsAskedNanos;
  private CompletableFuture<Void> running = CompletableFuture.completedFuture(null);

  /**
   * @param places where to begin, by tablet id; others begin at their beginning
   */
  public TableFeed(FeedQuery query, TableTablets tablets, Map<String, FeedPlace> places) {
    this.query = query;
    this.tablets = tablets;
    this.places = new TreeMap<>(places);
  }

  /** The positions behind the changes that were delivered, by tablet id. */
  public Map<String, FeedPlace> places() {
    Map<String, FeedPlace> now = new TreeMap<>(places);
    feeds.forEach((id, feed) -> now.put(id, feed.delivered()));
    return now;
  }

  /** Whether all changes below the end have been delivered. */
  public boolean isOver() {
    return query.end() != Long.MAX_VALUE
        && tabletsKnown
        && feeds.values().stream().allMatch(feed -> feed.isOver(query.end()));
  }

  /**
   * Delivers changes that are there, in order.
   *
   * @param max the maximum number of changes
   */
  public <C> List<C> take(int max, ChangeFactory<C> factory) {
    List<C> taken = new ArrayList<>();
    TabletFeed first = first();
    while (first != null && taken.size() < max) {
      taken.add(first.next(factory));
      first = first();
    }
    return taken;
  }

  /** The tablet with the next change; null while it is not known. */
  private TabletFeed first() {
    TabletFeed first =
        feeds.values().stream()
            .filter(TabletFeed::hasChange)
            .min(Comparator.comparingLong(TabletFeed::nextTimestamp))
            .orElse(null);
    if (first == null) {
      return null;
    }
    long timestamp = first.nextTimestamp();
    for (TabletFeed feed : feeds.values()) {
      if (!feed.hasChange() && feed.nextTimestamp() <= timestamp && !feed.isOver(query.end())) {
        return null;
      }
    }
    return first;
  }

  /** Whether changes are held that cannot be delivered before others. */
  public boolean holdsChanges() {
    return feeds.values().stream().anyMatch(TabletFeed::hasChange);
  }

  /** Asks all tablets of which no change is held; or returns the running call. */
  public CompletableFuture<Void> fetch() {
    if (running.isDone()) { // a caller may have been interrupted while it waited
      running = fetchMore();
    }
    return running;
  }

  private CompletableFuture<Void> fetchMore() {
    Deadline deadline = Deadline.after(query.timeoutMillis());
    return findTablets(deadline)
        .thenCompose(
            done -> {
              List<CompletableFuture<Void>> asked = new ArrayList<>();
              for (TabletFeed feed : List.copyOf(feeds.values())) {
                if (!feed.hasChange() && !feed.isOver(query.end())) {
                  asked.add(fetch(feed, deadline));
                }
              }
              return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new));
            })
        .thenAccept(done -> feeds.values().removeIf(feed -> gone.contains(feed.tablet())));
  }

  private CompletableFuture<Void> fetch(TabletFeed feed, Deadline deadline) {
    return feed.fetch(query.cluster().lastTimestamp(), deadline)
        .exceptionallyCompose(
            failure -> {
              if (ScanFailures.isGone(Failures.unwrap(failure))) {
                gone.add(feed.tablet());
                return CompletableFuture.completedFuture(null);
              }
              return CompletableFuture.failedFuture(failure);
            });
  }

  private CompletableFuture<Void> findTablets(Deadline deadline) {
    long now = System.nanoTime();
    if (tabletsKnown && now - tabletsAskedNanos < TABLETS_KNOWN_NANOS) {
      return CompletableFuture.completedFuture(null);
    }
    return tablets
        .betweenAnew(new byte[0], new byte[0], deadline)
        .thenAccept(
            found -> {
              tabletsAskedNanos = now;
              learn(found);
              tabletsKnown = true;
            });
  }

  private void learn(List<RemoteTablet> found) {
    Set<String> ids = new HashSet<>();
    for (RemoteTablet tablet : found) {
      String id = tablet.tabletId();
      ids.add(id);
      TabletFeed known = feeds.get(id);
      if (known == null || known.tablet() != tablet) {
        FeedPlace from =
            known != null ? known.delivered() : places.getOrDefault(id, FeedPlace.BEGINNING);
        feeds.put(id, new TabletFeed(query, tablet, from));
      }
    }
    feeds.entrySet().removeIf(feed -> !ids.contains(feed.getKey()) && !feed.getValue().hasChange());
    places.clear();
  }
}
