package dev.kudu4j.tablet.maintenance;

import dev.kudu4j.common.index.IndexDefinition;
import java.io.IOException;

/** A pass of the search for equal values of a unique index. */
record UniqueCheckTask(IndexBuildPlanner planner, IndexDefinition index, long ioBytes)
    implements MaintenanceTask {
  @Override
  public Kind kind() {
    return Kind.INDEX_BUILD;
  }

  @Override
  public double readGain() {
    return IndexBuildTask.READ_GAIN;
  }

  @Override
  public String description() {
    return "Search for equal rows of index %s".formatted(index.name());
  }

  @Override
  public void run() throws IOException {
    planner.check(index);
  }
}
