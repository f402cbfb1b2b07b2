package dev.kudu4j.client.write;

import dev.kudu4j.client.cluster.RemoteTablet;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The tablets that one session writes to. Where a tablet has taken the place of another to which
 * operations are still on their way, its own wait for them: the later ones of a row must not
 * overtake. Guarded by the lock of the {@link WriteBuffer}.
 */
final class TabletWriters<R> {
  private final Map<RemoteTablet, TabletWriter<R>> writers = new IdentityHashMap<>();

  /** Those that wait for others, in the order of their opening. */
  private final List<TabletWriter<R>> blocked = new ArrayList<>();

  private RemoteTablet lastTablet;
  private TabletWriter<R> lastWriter;

  /** The tablet's writer, which is opened at the first time. */
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

  /** Takes out those that need not wait any more. */
  List<TabletWriter<R>> takeUnblocked() {
    if (blocked.isEmpty()) {
      return List.of();
    }
    List<TabletWriter<R>> unblocked = new ArrayList<>();
    blocked.removeIf(writer -> !writer.isBlocked() && unblocked.add(writer));
    return unblocked;
  }

  /** The writer and all that wait for it, directly or not, in the order of their opening. */
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

  /** What the packed rows take that have no answer yet. */
  long bytes() {
    return writers.values().stream().mapToLong(TabletWriter::bytes).sum();
  }
}
