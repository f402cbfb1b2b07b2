package dev.kudu4j.tserver.claim;

import dev.kudu4j.common.index.ClaimedIndex;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tserver.tablets.HostedTablet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What this server knows of the claims of one tablet of a table. Thread-safe. */
final class TabletClaims {
  private final HostedTablet tablet;
  private final KeyLocks locks;
  private final AtomicLong numbers = new AtomicLong();

  /** Writes under way that have claimed nothing, because no index asked for it when they began. */
  private final AtomicInteger unclaimed = new AtomicInteger();

  private volatile @Nullable Indexes known;

  /**
   * The indexes of the table whose values must be claimed.
   *
   * @param schema of the tablet, at the same time
   * @param encoders by place among the tablet's claimed indexes; empty for those that are not
   *     enforced
   */
  record Indexes(
      TabletDescriptor descriptor, Schema schema, List<Optional<ValueEncoder>> encoders) {
    boolean isEmpty() {
      return encoders.stream().noneMatch(Optional::isPresent);
    }

    List<ValueEncoder> enforced() {
      return encoders.stream().flatMap(Optional::stream).toList();
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
    if (current == null || current.descriptor != now) {
      List<Optional<ValueEncoder>> encoders = new ArrayList<>();
      for (ClaimedIndex index : now.claimedIndexes()) {
        encoders.add(
            index.isEnforced()
                ? Optional.of(new ValueEncoder(index, now.schema()))
                : Optional.empty());
      }
      current = new Indexes(now, now.schema(), List.copyOf(encoders));
      known = current;
    }
    return current;
  }

  /** The next stamp in a term. */
  Stamp nextStamp(long term) {
    return new Stamp(tablet.tabletId(), term, numbers.incrementAndGet());
  }

  /** Called before a write looks at {@link #indexes}. */
  void began() {
    unclaimed.incrementAndGet();
  }

  /** Called when a write has ended that has claimed nothing, or if it will claim. */
  void ended() {
    unclaimed.decrementAndGet();
  }

  /**
   * Whether writes that have claimed nothing may be under way. Those that begin later look at the
   * indexes of now.
   */
  boolean hasUnclaimedWrites() {
    return unclaimed.get() > 0;
  }
}
