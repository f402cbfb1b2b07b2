package dev.kudu4j.master.tables;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The tablets that were forgotten lately. A replica of one of them may still turn up, made by a
 * request that took long; it may be deleted. A replica of a tablet that is neither here nor in the
 * catalog is left alone: it may belong to a cluster whose masters were set up wrongly.
 */
final class Graveyard {
  private static final int CAPACITY = 100_000;

  @GuardedBy("this")
  private final Set<String> tabletIds = new LinkedHashSet<>();

  synchronized void add(String tabletId) {
    tabletIds.add(tabletId);
    if (tabletIds.size() > CAPACITY) {
      Iterator<String> oldest = tabletIds.iterator();
      oldest.next();
      oldest.remove();
    }
  }

  synchronized boolean contains(String tabletId) {
    return tabletIds.contains(tabletId);
  }
}
