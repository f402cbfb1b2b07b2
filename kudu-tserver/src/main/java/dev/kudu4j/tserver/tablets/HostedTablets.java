package dev.kudu4j.tserver.tablets;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The tablets of this server, by id, and the listener to their changes. Thread-safe. */
final class HostedTablets {
  private final Map<String, HostedTablet> byId = new ConcurrentHashMap<>();
  private volatile Consumer<String> listener = tabletId -> {};

  /**
   * @param listener receives the id of each tablet that changes; must not block
   */
  void onChange(Consumer<String> listener) {
    this.listener = listener;
  }

  void changed(String tabletId) {
    listener.accept(tabletId);
  }

  void changed(HostedTablet tablet) {
    changed(tablet.tabletId());
  }

  @Nullable HostedTablet find(String tabletId) {
    return byId.get(tabletId);
  }

  /** Whether the map still contains {@code tablet}, and no other object has replaced it. */
  boolean holds(HostedTablet tablet) {
    return byId.get(tablet.tabletId()) == tablet;
  }

  Collection<HostedTablet> all() {
    return byId.values();
  }

  void put(HostedTablet tablet) {
    byId.put(tablet.tabletId(), tablet);
  }

  /**
   * Adds the tablet if there is none with its id. Returns the existing tablet, or null if {@code
   * tablet} was added.
   */
  @Nullable HostedTablet putIfAbsent(HostedTablet tablet) {
    return byId.putIfAbsent(tablet.tabletId(), tablet);
  }

  void replace(HostedTablet before, HostedTablet after) {
    byId.replace(before.tabletId(), before, after);
  }

  void remove(HostedTablet tablet) {
    byId.remove(tablet.tabletId(), tablet);
  }
}
