package dev.kudu4j.tablet.maintenance;

import java.io.IOException;

/** A compaction of one rowset's deltas. */
record DeltaTask(Kind kind, long ioBytes, double readGain, String description, Work work)
    implements MaintenanceTask {
  /**
   * The execution of the task: plans the work again for the rowset's current state, and runs it.
   */
  @FunctionalInterface
  interface Work {
    void run() throws IOException;
  }

  @Override
  public void run() throws IOException {
    work.run();
  }
}
