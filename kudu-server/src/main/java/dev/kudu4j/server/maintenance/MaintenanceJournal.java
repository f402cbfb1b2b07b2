package dev.kudu4j.server.maintenance;

import dev.kudu4j.tablet.maintenance.MaintenanceTask.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The running maintenance ops by tablet, and the most recent ops. Guarded by the scheduler's lock.
 */
final class MaintenanceJournal {
  private static final int MAX_RECENT = 50;

  /**
   * One run of a maintenance op.
   *
   * @param reason name of the {@link OpPriority.Reason}; {@code REQUEST} for requested work
   * @param endedAtNanos 0 while the op runs
   * @param failure null if the op has succeeded or is running
   */
  record Run(
      String tabletId,
      String tableName,
      Kind kind,
      String reason,
      String description,
      long startedAtNanos,
      long endedAtNanos,
      @Nullable String failure) {
    long nanos() {
      return endedAtNanos - startedAtNanos;
    }
  }

  private final Map<String, Run> running = new LinkedHashMap<>();
  private final Deque<Run> recent = new ArrayDeque<>();

  boolean isBusy(String tabletId) {
    return running.containsKey(tabletId);
  }

  void begin(Run run) {
    running.put(run.tabletId, run);
  }

  void end(Run run, long nowNanos, @Nullable Throwable failure) {
    running.remove(run.tabletId);
    recent.addFirst(
        new Run(
            run.tabletId,
            run.tableName,
            run.kind,
            run.reason,
            run.description,
            run.startedAtNanos,
            nowNanos,
            failure == null ? null : failure.toString()));
    if (recent.size() > MAX_RECENT) {
      recent.removeLast();
    }
  }

  List<Run> running() {
    return List.copyOf(running.values());
  }

  /** The most recent runs, newest first. */
  List<Run> recent() {
    return new ArrayList<>(recent);
  }
}
