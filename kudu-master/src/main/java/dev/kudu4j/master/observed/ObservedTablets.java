package dev.kudu4j.master.observed;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** The status of every tablet that was reported in this session. Thread-safe. */
public final class ObservedTablets {
  private final Map<String, TabletStatus> statuses = new ConcurrentHashMap<>();

  public TabletStatus status(String tabletId) {
    return statuses.getOrDefault(tabletId, TabletStatus.UNKNOWN);
  }

  /** Changes one status in one step and returns what it became. */
  public TabletStatus update(String tabletId, UnaryOperator<TabletStatus> change) {
    return statuses.compute(
        tabletId, (id, old) -> change.apply(old == null ? TabletStatus.UNKNOWN : old));
  }

  public void forget(String tabletId) {
    statuses.remove(tabletId);
  }
}
