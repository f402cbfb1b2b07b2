package dev.kudu4j.tablet.maintenance;

import java.io.IOException;

/**
 * Drops the UNDO files whose changes are all below the ancient history mark; writes only the
 * superblock.
 */
record UndoDeltaGcTask(RowSetCompactionPlanner compactions, long mark, long freedDiskBytes)
    implements MaintenanceTask {
  @Override
  public Kind kind() {
    return Kind.HISTORY_COLLECTION;
  }

  @Override
  public long ioBytes() {
    return 0;
  }

  @Override
  public double readGain() {
    return 0;
  }

  @Override
  public String description() {
    return "Removal of %d bytes of UNDO files".formatted(freedDiskBytes);
  }

  @Override
  public void run() throws IOException {
    compactions.dropHistory(mark);
  }
}
