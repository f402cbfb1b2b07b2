package dev.kudu4j.tserver.claim;

import dev.kudu4j.common.index.ClaimedIndex;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.transaction.OpenTransaction;
import dev.kudu4j.tserver.tablets.HostedTablet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What this server knows of the claims of one tablet of a table. Thread-safe. */
final class TabletClaims {
  private final HostedTablet tablet;
  private final KeyLocks locks;
  private final AtomicLong numbers = new AtomicLong();

  /** Earlier indexes by which writes that are under way may have claimed. */
  private final Queue<Indexes> earlier = new ConcurrentLinkedQueue<>();

  private volatile @Nullable Indexes known;

  /**
   * The indexes of the table whose values must be claimed.
   *
   * @param schema of the tablet, at the same time
   * @param encoders by place among the tablet's claimed indexes; empty for those that are not
   *     enforced
   * @param writes number of writes under way that know these indexes
   */
  record Indexes(
      TabletDescriptor descriptor,
      Schema schema,
      List<Optional<ValueEncoder>> encoders,
      AtomicInteger writes) {
    boolean isEmpty() {
      return encoders.stream().noneMatch(Optional::isPresent);
    }

    List<ValueEncoder> enforced() {
      return encoders.stream().flatMap(Optional::stream).toList();
    }

    /** Called when a write has ended that began with these indexes. */
    void ended() {
      writes.decrementAndGet();
    }
  }

  /**
   * @param executor runs writes that have waited for others
   */
  TabletClaims(HostedTablet tablet, Executor executor) {
    this.tablet = tablet;
    this.locks = new KeyLocks(executor);
  }

  HostedTablet tablet() {
    return tablet;
  }

  KeyLocks locks() {
    return locks;
  }

  /** The indexes as the tablet has them now. */
  @SuppressWarnings("ReferenceEquality") // an alteration creates another descriptor
  Indexes indexes() {
    TabletDescriptor now = tablet.tablet().descriptor();
    Indexes current = known;
    return current != null && current.descriptor == now ? current : renewed();
  }

  @SuppressWarnings("ReferenceEquality")
  private synchronized Indexes renewed() {
    TabletDescriptor now = tablet.tablet().descriptor();
    Indexes before = known;
    if (before != null && before.descriptor == now) {
      return before;
    }
    List<Optional<ValueEncoder>> encoders = new ArrayList<>();
    for (ClaimedIndex index : now.claimedIndexes()) {
      encoders.add(
          index.isEnforced()
              ? Optional.of(new ValueEncoder(index, now.schema()))
              : Optional.empty());
    }
    Indexes renewed = new Indexes(now, now.schema(), List.copyOf(encoders), new AtomicInteger());
    if (before != null) {
      earlier.add(before);
    }
    known = renewed;
    return renewed;
  }

  /** The indexes of now, for a write that begins. */
  @SuppressWarnings("ReferenceEquality")
  Indexes begin() {
    while (true) {
      Indexes now = indexes();
      now.writes.incrementAndGet();
      if (now.descriptor == tablet.tablet().descriptor()) {
        return now;
      }
      now.ended(); // whoever waits for earlier writes may have seen none
    }
  }

  /** The next stamp in a term. */
  Stamp nextStamp(long term) {
    return new Stamp(tablet.tabletId(), term, numbers.incrementAndGet());
  }

  /**
   * Whether writes are under way that began before the present indexes, or rows of transactions
   * that were prepared before.
   */
  boolean hasEarlierWrites() {
    indexes();
    earlier.removeIf(indexes -> indexes.writes.get() == 0);
    return !earlier.isEmpty()
        || tablet.replica().transactions().open().stream().anyMatch(OpenTransaction::isPrepared);
  }
}
