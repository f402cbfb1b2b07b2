package dev.kudu4j.server.maintenance;

import dev.kudu4j.server.web.html.Figures;
import dev.kudu4j.tablet.maintenance.MaintenanceTask;
import dev.kudu4j.tablet.maintenance.MaintenanceTask.Kind;
import java.io.IOException;

/**
 * Something that could be done now to one tablet.
 *
 * @param task null for the flush, which is the replica's: it releases the log
 */
record CandidateOp(
    MaintainedTablet tablet, MaintenanceTask task, OpStats worth, OpPriority urgency) {
  Kind kind() {
    return worth.kind();
  }

  String description() {
    return task == null
        ? "Flush of "
            + Figures.bytesText(worth.freedMemoryBytes())
            + " in memory, which releases "
            + Figures.bytesText(worth.logBytes())
            + " of log"
        : task.description();
  }

  void perform() throws IOException {
    if (task == null) {
      tablet.flush();
    } else {
      tablet.run(task);
    }
  }
}
