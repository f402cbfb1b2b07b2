package dev.kudu4j.server.maintenance;

import dev.kudu4j.server.web.html.Figures;
import dev.kudu4j.tablet.maintenance.MaintenanceTask;
import dev.kudu4j.tablet.maintenance.MaintenanceTask.Kind;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A maintenance op that could run now on one tablet.
 *
 * @param task null for a flush. The replica performs a flush, because a flush also releases the log
 */
record CandidateOp(
    MaintainedTablet tablet, @Nullable MaintenanceTask task, OpStats stats, OpPriority opPriority) {
  Kind kind() {
    return stats.kind();
  }

  String description() {
    return task == null
        ? "Flush of "
            + Figures.bytesText(stats.freedMemoryBytes())
            + " in memory, which releases "
            + Figures.bytesText(stats.logBytes())
            + " of log"
        : task.description();
  }

  void perform() throws IOException {
    if (task == null) {
      flush();
    } else {
      tablet.run(task);
    }
  }

  private void flush() throws IOException {
    if (stats.epochDelayMillis() > 0 && !opPriority.isUrgent()) {
      tablet.flushEpoch();
    } else {
      tablet.flush();
    }
  }
}
