package dev.kudu4j.tablet.maintenance;

import java.io.IOException;

/** Builds the index files that a rowset lacks. */
record IndexBuildTask(IndexBuildPlanner planner, long rowSetId, long ioBytes)
    implements MaintenanceTask {
  /** Compares to other tasks as if look-ups had to visit one rowset fewer afterwards. */
  static final double READ_GAIN = 1;

  @Override
  public Kind kind() {
    return Kind.INDEX_BUILD;
  }

  @Override
  public double readGain() {
    return READ_GAIN;
  }

  @Override
  public String description() {
    return "Index build of DiskRowSet %d".formatted(rowSetId);
  }

  @Override
  public void run() throws IOException {
    planner.build(rowSetId);
  }
}
