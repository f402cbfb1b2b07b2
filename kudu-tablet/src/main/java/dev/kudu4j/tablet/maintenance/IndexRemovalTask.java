package dev.kudu4j.tablet.maintenance;

import java.io.IOException;

/** Drops the files of dropped indexes from all rowsets. */
record IndexRemovalTask(IndexBuildPlanner planner, long freedDiskBytes) implements MaintenanceTask {
  /** Only the superblock is written. */
  private static final long IO_BYTES = 64 << 10;

  @Override
  public Kind kind() {
    return Kind.INDEX_BUILD;
  }

  @Override
  public long ioBytes() {
    return IO_BYTES;
  }

  @Override
  public double readGain() {
    return IndexBuildTask.READ_GAIN;
  }

  @Override
  public String description() {
    return "Removal of the files of dropped indexes";
  }

  @Override
  public void run() throws IOException {
    planner.removeDropped();
  }
}
