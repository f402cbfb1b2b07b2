package dev.kudu4j.tablet.maintenance;

import dev.kudu4j.tablet.checkpoint.StoreUpdater;
import java.io.IOException;

/** Flushes all in-memory data of a tablet. */
record FlushTask(StoreUpdater store, long freedMemoryBytes) implements MaintenanceTask {
  @Override
  public Kind kind() {
    return Kind.FLUSH;
  }

  @Override
  public long ioBytes() {
    return freedMemoryBytes;
  }

  @Override
  public double readGain() {
    return 0;
  }

  @Override
  public String description() {
    return "Flush of " + freedMemoryBytes + " bytes";
  }

  @Override
  public void run() throws IOException {
    store.flush();
  }
}
