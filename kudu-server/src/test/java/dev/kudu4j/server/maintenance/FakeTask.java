package dev.kudu4j.server.maintenance;

import dev.kudu4j.tablet.maintenance.MaintenanceTask;
import java.io.IOException;

/** A task whose gain and cost the test sets. */
record FakeTask(Kind kind, double readGain, long ioBytes, MaintenanceScheduler.Work work)
    implements MaintenanceTask {
  static FakeTask compaction(FakeTablet tablet, String name) {
    return new FakeTask(Kind.ROWSET_COMPACTION, 1, 1 << 20, () -> tablet.did(name));
  }

  @Override
  public long freedMemoryBytes() {
    return 0;
  }

  @Override
  public long freedDiskBytes() {
    return 0;
  }

  @Override
  public String description() {
    return "Compaction & more";
  }

  @Override
  public void run() throws IOException {
    work.run();
  }
}
