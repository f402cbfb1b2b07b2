package dev.kudu4j.server.maintenance;

import dev.kudu4j.tablet.maintenance.MaintenanceTask;
import dev.kudu4j.tablet.maintenance.MaintenanceTask.Kind;
import java.io.IOException;
import java.util.Locale;

/**
 * Something that could be done now to one tablet.
 *
 * @param task null for the flush, which is the replica's: it releases the log
 */
record Offer(MaintainedTablet tablet, MaintenanceTask task, Worth worth, Urgency urgency) {
  Kind kind() {
    return worth.kind();
  }

  String description() {
    return task == null
        ? String.format(
            Locale.ROOT,
            "Flush of %d bytes in memory, %d bytes of log",
            worth.freedMemoryBytes(),
            worth.logBytes())
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
