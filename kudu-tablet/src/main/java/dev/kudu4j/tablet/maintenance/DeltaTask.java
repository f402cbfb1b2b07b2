package dev.kudu4j.tablet.maintenance;

import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.checkpoint.StoreChange;
import dev.kudu4j.tablet.checkpoint.StoreChanges;
import dev.kudu4j.tablet.compaction.delta.DeltaChoices;
import dev.kudu4j.tablet.compaction.delta.MajorDeltaCompaction;
import dev.kudu4j.tablet.compaction.delta.MinorDeltaCompaction;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.superblock.Superblocks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A compaction of one rowset's deltas. What it does is chosen again when it runs, for the rowset as
 * it is then.
 */
record DeltaTask(
    Kind kind,
    StoreChanges store,
    StoreChange.Plan plan,
    long ioBytes,
    double readGain,
    String description)
    implements MaintenanceTask {

  /** The best of each kind that is worth it. */
  static List<MaintenanceTask> candidates(
      TabletEnvironment environment,
      StoreChanges store,
      Components now,
      long ancientHistoryMark,
      long budgetBytes) {
    List<MaintenanceTask> tasks = new ArrayList<>();
    DeltaChoices.Minor minor = DeltaChoices.minor(now.rowSets(), budgetBytes);
    if (minor != null) {
      tasks.add(
          new DeltaTask(
              Kind.MINOR_DELTA_COMPACTION,
              store,
              minorPlan(environment, minor.rowSetId(), ancientHistoryMark, budgetBytes),
              2 * minor.bytes(),
              minor.gain(),
              "Minor delta compaction of DiskRowSet %d: %d %s files"
                  .formatted(minor.rowSetId(), minor.files().count(), minor.kind())));
    }
    DeltaChoices.Major major = DeltaChoices.major(now.rowSets(), now.schema(), budgetBytes);
    if (major != null) {
      tasks.add(
          new DeltaTask(
              Kind.MAJOR_DELTA_COMPACTION,
              store,
              majorPlan(environment, major.rowSetId(), ancientHistoryMark),
              2 * major.bytes(),
              major.gain(),
              "Major delta compaction of DiskRowSet %d: columns of ids %s"
                  .formatted(major.rowSetId(), major.columnIds())));
    }
    return tasks;
  }

  private static StoreChange.Plan minorPlan(
      TabletEnvironment environment, long rowSetId, long mark, long budgetBytes) {
    return (now, superblock) -> {
      DiskRowSet rowSet = find(now, rowSetId);
      List<DeltaChoices.Minor> minors =
          rowSet == null ? List.of() : DeltaChoices.minors(rowSet, budgetBytes);
      if (minors.isEmpty()) {
        return null;
      }
      DeltaChoices.Minor choice = minors.get(0);
      return new MinorDeltaCompaction(
          environment, rowSet, choice.kind(), choice.files().first(), choice.files().count(), mark);
    };
  }

  private static StoreChange.Plan majorPlan(
      TabletEnvironment environment, long rowSetId, long mark) {
    return (now, superblock) -> {
      DiskRowSet rowSet = find(now, rowSetId);
      Schema schema = Superblocks.descriptor(superblock).schema();
      DeltaChoices.Major choice = rowSet == null ? null : DeltaChoices.major(rowSet, schema);
      return choice == null
          ? null
          : new MajorDeltaCompaction(environment, rowSet, schema, choice.columnIds(), mark);
    };
  }

  private static DiskRowSet find(Components now, long rowSetId) {
    for (DiskRowSet rowSet : now.rowSets()) {
      if (rowSet.id() == rowSetId) {
        return rowSet;
      }
    }
    return null;
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
  public void run() throws IOException {
    store.run(plan);
  }
}
