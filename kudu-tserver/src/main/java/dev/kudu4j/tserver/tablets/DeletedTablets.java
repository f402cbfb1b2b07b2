package dev.kudu4j.tserver.tablets;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The ids of the tablets that this run of the server deleted most recently. Keeps enough ids that a
 * delayed request to create a deleted tablet still finds the id. Thread-safe.
 */
final class DeletedTablets {
  private static final int REMEMBERED = 100_000;

  @GuardedBy("this")
  private final Set<String> ids = new LinkedHashSet<>();

  synchronized void add(String tabletId) {
    ids.add(tabletId);
    if (ids.size() > REMEMBERED) {
      Iterator<String> oldest = ids.iterator();
      oldest.next();
      oldest.remove();
    }
  }

  synchronized boolean contains(String tabletId) {
    return ids.contains(tabletId);
  }
}
