package dev.kudu4j.client.feed;

import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.Failures;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.cluster.TableTablets;
import dev.kudu4j.client.scan.ScanFailures;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The changes of a table in the order of their timestamps, over all tablets. A change is delivered
 * when no tablet can have an earlier one: each has delivered or holds a later one, or has reported
 * that it has none.
 *
 * <p>The table's tablets are asked for once a second. One that is new is read from its beginning;
 * its first changes may come after later ones of others. One that no longer exists ends.
 *
 * <p>Used by one thread, which takes changes, and while there are none, asks ({@link #ask}), waits,
 * and adds what servers have answered ({@link #add}).
 */
public final class TableFeed {
  private static final long TABLETS_KNOWN_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** About as much of all responses together. */
  private static final int ALL_BATCHES_BYTES = 64 << 20;

  private static final int MIN_BATCH_BYTES = 16 << 10;

  private static final Comparator<TabletFeed> BY_TIME =
      Comparator.comparingLong(TabletFeed::nextTimestamp)
          .thenComparing(feed -> feed.tablet().tabletId());

  private final FeedQuery query;
  private final TableTablets tablets;
  private final Set<String> only; // null for all
  private final Map<String, TabletFeed> feeds = new TreeMap<>();
  private final Map<String, FeedPlace> places; // of tablets that are not known yet
  private boolean tabletsKnown;
  private boolean tabletsDoubted; // a server has reported that a tablet is gone
  private long tabletsAskedNanos;
  private long seenBeforeTablets; // the highest timestamp seen when the tablets were asked for
  private CompletableFuture<Answers> running; // null if nothing was asked

  /** A response of a tablet. */
  private record Answer(TabletFeed feed, ChangeRows changes) {}

  /**
   * What servers have answered.
   *
   * @param found the table's tablets; null if they were not asked for
   * @param seen the highest timestamp that was seen before the tablets were asked for
   * @param changes an answer without changes is of a tablet that is gone
   */
  public record Answers(List<RemoteTablet> found, long seen, List<Answer> changes) {}

  /**
   * @param only the ids of the tablets to read; null for all
   * @param places where to begin, by tablet id; others begin at their beginning
   */
  public TableFeed(
      FeedQuery query, TableTablets tablets, Set<String> only, Map<String, FeedPlace> places) {
    this.query = query;
    this.tablets = tablets;
    this.only = only;
    this.places = new TreeMap<>(places);
  }

  /** The positions behind the changes that were delivered, by tablet id. */
  public Map<String, FeedPlace> places() {
    Map<String, FeedPlace> now = new TreeMap<>(places);
    feeds.forEach((id, feed) -> now.put(id, feed.delivered()));
    return now;
  }

  /** Whether all changes below the end have been delivered, of tablets created later too. */
  public boolean isOver() {
    return hasEnd()
        && tabletsKnown
        && areOver()
        && (only != null || seenBeforeTablets >= query.end());
  }

  private boolean hasEnd() {
    return query.end() != Long.MAX_VALUE;
  }

  private boolean areOver() {
    return feeds.values().stream().allMatch(feed -> feed.isOver(query.end()));
  }

  // ---------------------------------------------------------------- delivering

  /**
   * Delivers changes that are there, in order.
   *
   * @param max the maximum number of changes
   */
  public <C> List<C> take(int max, ChangeFactory<C> factory) {
    List<C> taken = new ArrayList<>();
    PriorityQueue<TabletFeed> ready = new PriorityQueue<>(BY_TIME);
    long bound = Long.MAX_VALUE; // no change from here on can be delivered
    for (TabletFeed feed : feeds.values()) {
      if (feed.hasChange()) {
        ready.add(feed);
      } else {
        bound = Math.min(bound, bound(feed));
      }
    }
    while (!ready.isEmpty() && taken.size() < max) {
      TabletFeed first = ready.remove();
      if (first.nextTimestamp() >= bound) {
        break;
      }
      taken.add(first.next(factory));
      if (first.hasChange()) {
        ready.add(first);
      } else {
        bound = Math.min(bound, bound(first));
      }
    }
    return taken;
  }

  private long bound(TabletFeed feed) {
    return feed.isOver(query.end()) ? Long.MAX_VALUE : feed.nextTimestamp();
  }

  /** Whether changes are held that cannot be delivered before others. */
  public boolean holdsChanges() {
    return feeds.values().stream().anyMatch(TabletFeed::hasChange);
  }

  // ---------------------------------------------------------------- asking

  /**
   * Asks for the table's tablets if that is due, else the tablets that may have the next change. If
   * an earlier call has not been answered yet, returns that one.
   *
   * @return whose result to {@link #add}
   */
  public CompletableFuture<Answers> ask() {
    if (running == null) {
      Deadline deadline = Deadline.after(query.timeoutMillis());
      running = areTabletsDue() ? findTablets(deadline) : fetch(deadline);
    }
    return running;
  }

  private boolean areTabletsDue() {
    boolean isEndUnknown = hasEnd() && areOver() && seenBeforeTablets < query.end();
    return !tabletsKnown
        || tabletsDoubted
        || (only == null
            && (isEndUnknown || System.nanoTime() - tabletsAskedNanos > TABLETS_KNOWN_NANOS));
  }

  private CompletableFuture<Answers> findTablets(Deadline deadline) {
    tabletsAskedNanos = System.nanoTime();
    long seen = query.cluster().lastTimestamp();
    // Whoever wants to know whether the feed is over, needs the answer.
    boolean mayGoOn = tabletsKnown && !tabletsDoubted && !(hasEnd() && areOver());
    return tablets
        .current(deadline)
        .handle(
            (found, failure) -> {
              if (failure == null) {
                return CompletableFuture.completedFuture(new Answers(found, seen, List.of()));
              }
              return mayGoOn && passes(Failures.unwrap(failure)) // without a master, for a while
                  ? CompletableFuture.completedFuture(new Answers(null, 0, List.of()))
                  : CompletableFuture.<Answers>failedFuture(failure);
            })
        .thenCompose(step -> step);
  }

  private static boolean passes(Throwable failure) {
    return failure instanceof KuduException known
        && (known.code() == StatusCode.TIMED_OUT
            || known.code() == StatusCode.SERVICE_UNAVAILABLE
            || known.code() == StatusCode.NETWORK_ERROR);
  }

  private CompletableFuture<Answers> fetch(Deadline deadline) {
    long first =
        feeds.values().stream()
            .filter(TabletFeed::hasChange)
            .mapToLong(TabletFeed::nextTimestamp)
            .min()
            .orElse(Long.MAX_VALUE);
    List<CompletableFuture<Answer>> asked = new ArrayList<>();
    for (TabletFeed feed : feeds.values()) {
      if (!feed.hasChange() && feed.nextTimestamp() <= first && !feed.isOver(query.end())) {
        asked.add(fetch(feed, deadline));
      }
    }
    return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
        .thenApply(
            done -> new Answers(null, 0, asked.stream().map(CompletableFuture::join).toList()));
  }

  private CompletableFuture<Answer> fetch(TabletFeed feed, Deadline deadline) {
    int batchBytes =
        Math.min(query.batchBytes(), Math.max(MIN_BATCH_BYTES, ALL_BATCHES_BYTES / feeds.size()));
    return feed.fetch(query.cluster().lastTimestamp(), batchBytes, deadline)
        .thenApply(changes -> new Answer(feed, changes))
        .exceptionallyCompose(
            failure ->
                ScanFailures.isGone(Failures.unwrap(failure))
                    ? CompletableFuture.completedFuture(new Answer(feed, null))
                    : CompletableFuture.failedFuture(failure));
  }

  // ---------------------------------------------------------------- adding

  /** Forgets a call that has failed, so that the next one asks again. */
  public void failed() {
    running = null;
  }

  /** Adds the result of {@link #ask}. */
  public void add(Answers answers) {
    running = null;
    if (answers.found() != null) {
      learn(answers.found());
      seenBeforeTablets = answers.seen();
      tabletsKnown = true;
      tabletsDoubted = false;
    }
    for (Answer answer : answers.changes()) {
      if (answer.changes() == null) {
        tabletsDoubted = true; // the master knows whether it is the tablet or the table
      } else {
        answer.feed().add(answer.changes());
      }
    }
  }

  private void learn(List<RemoteTablet> found) {
    Set<String> ids = new HashSet<>();
    for (RemoteTablet tablet : found) {
      String id = tablet.tabletId();
      if (only != null && !only.contains(id)) {
        continue;
      }
      ids.add(id);
      TabletFeed known = feeds.get(id);
      if (known == null || (known.tablet() != tablet && !known.hasChange())) {
        FeedPlace from =
            known != null ? known.delivered() : places.getOrDefault(id, FeedPlace.BEGINNING);
        feeds.put(id, new TabletFeed(query, tablet, from));
      }
    }
    feeds.entrySet().removeIf(feed -> !ids.contains(feed.getKey()) && !feed.getValue().hasChange());
    places.clear();
  }
}
