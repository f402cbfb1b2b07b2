package dev.kudu4j.client.write;

import dev.kudu4j.client.cluster.RemoteTablet;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The tablets that one session writes to. If a tablet has replaced another tablet that still has
 * pending operations, the operations of the new tablet wait for these operations: later operations
 * on a row must not overtake earlier ones. Guarded by the lock of the {@link WriteBuffer}.
 */
final class TabletWriters<R> {
  private final Map<RemoteTablet, TabletWriter<R>> writers = new IdentityHashMap<>();

  /** The writers that wait for other writers, in the order in which they were opened. */
  private final List<TabletWriter<R>> blocked = new ArrayList<>();

  private RemoteTablet lastTablet;
  private TabletWriter<R> lastWriter;

  /** The tablet's writer, opened on first use. */
  TabletWriter<R> of(RemoteTablet tablet) {
    if (tablet != lastTablet) {
      TabletWriter<R> known = writers.get(tablet);
      lastWriter = known == null ? open(tablet) : known;
      lastTablet = tablet;
    }
    return lastWriter;
  }

  private TabletWriter<R> open(RemoteTablet tablet) {
    TabletWriter<R> opened = new TabletWriter<>(tablet);
    for (TabletWriter<R> other : List.copyOf(writers.values())) {
      if (!opened.overlaps(other)) {
        continue;
      }
      if (other.isIdle()) {
        forget(other);
      } else {
        opened.waitFor(other);
      }
    }
    if (opened.isBlocked()) {
      blocked.add(opened);
    }
    writers.put(tablet, opened);
    return opened;
  }

  void forget(TabletWriter<R> writer) {
    writers.remove(writer.tablet(), writer);
    if (lastWriter == writer) {
      lastTablet = null;
      lastWriter = null;
    }
  }

  /** Removes and returns the writers that no longer have to wait. */
  List<TabletWriter<R>> takeUnblocked() {
    if (blocked.isEmpty()) {
      return List.of();
    }
    List<TabletWriter<R>> unblocked = new ArrayList<>();
    blocked.removeIf(writer -> !writer.isBlocked() && unblocked.add(writer));
    return unblocked;
  }

  /**
   * Returns {@code first} and the blocked writers that wait for it, directly or indirectly, in the
   * order of their opening. Removes them from {@link #blocked}.
   */
  List<TabletWriter<R>> takeWithThoseBehind(TabletWriter<R> first) {
    List<TabletWriter<R>> all = new ArrayList<>(List.of(first));
    for (TabletWriter<R> later : blocked) {
      if (all.stream().anyMatch(later::isBehind)) {
        all.add(later);
      }
    }
    blocked.removeAll(all);
    return all;
  }

  /** Bytes of the packed rows that have no response yet. */
  long bytes() {
    return writers.values().stream().mapToLong(TabletWriter::bytes).sum();
  }
}
