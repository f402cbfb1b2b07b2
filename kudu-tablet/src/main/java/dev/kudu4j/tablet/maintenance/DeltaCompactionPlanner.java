package dev.kudu4j.tablet.maintenance;

import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.apply.AppliedState;
import dev.kudu4j.tablet.checkpoint.StoreUpdate;
import dev.kudu4j.tablet.checkpoint.StoreUpdater;
import dev.kudu4j.tablet.compaction.delta.DeltaCompactionPicker;
import dev.kudu4j.tablet.compaction.delta.DeltaCompactionPolicy;
import dev.kudu4j.tablet.compaction.delta.MajorDeltaCompaction;
import dev.kudu4j.tablet.compaction.delta.MinorDeltaCompaction;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.delta.DeltaFileWriter;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.superblock.SuperblockMessages;
import java.io.IOException;
import java.util.List;
import java.util.function.BiFunction;

/** Chooses delta compactions of a tablet's rowsets and runs them. Thread-safe. */
final class DeltaCompactionPlanner {
  private final TabletEnvironment environment;
  private final AppliedState state;
  private final StoreUpdater store;

  DeltaCompactionPlanner(TabletEnvironment environment, AppliedState state, StoreUpdater store) {
    this.environment = environment;
    this.state = state;
    this.store = store;
  }

  /** Adds the best minor and the best major delta compaction, if they are worthwhile. */
  void addCandidates(
      Components now, long wantedMark, long budgetBytes, List<MaintenanceTask> tasks) {
    DeltaCompactionPicker.Minor minor = DeltaCompactionPicker.minor(now.rowSets(), budgetBytes);
    if (minor != null) {
      tasks.add(
          new DeltaTask(
              MaintenanceTask.Kind.MINOR_DELTA_COMPACTION,
              2 * minor.bytes(),
              minor.gain(),
              "Minor delta compaction of DiskRowSet %d: %d %s files"
                  .formatted(minor.rowSetId(), minor.files().count(), minor.kind()),
              () -> mergeSome(minor.rowSetId(), minor.kind(), wantedMark, budgetBytes)));
    }
    DeltaCompactionPicker.Major major =
        DeltaCompactionPicker.major(now.rowSets(), now.schema(), budgetBytes);
    if (major != null) {
      tasks.add(
          new DeltaTask(
              MaintenanceTask.Kind.MAJOR_DELTA_COMPACTION,
              2 * major.bytes(),
              major.gain(),
              "Major delta compaction of DiskRowSet %d: column ids %s"
                  .formatted(major.rowSetId(), major.columnIds()),
              () -> rewriteMuchChangedColumns(major.rowSetId(), wantedMark)));
    }
  }

  /** Merges the newest files of a kind if that is worthwhile. */
  private void mergeSome(
      long rowSetId, DeltaFileWriter.Kind kind, long wantedMark, long budgetBytes)
      throws IOException {
    store.run(
        (now, superblock) -> {
          DiskRowSet rowSet = now.rowSet(rowSetId);
          if (rowSet == null) {
            return null;
          }
          DeltaCompactionPolicy.Range files =
              DeltaCompactionPicker.toMerge(rowSet, kind, budgetBytes);
          return files == null ? null : merge(now, rowSet, kind, files, wantedMark);
        });
  }

  /** Merges all files of a kind and drops history below the mark. */
  private void mergeAll(long rowSetId, DeltaFileWriter.Kind kind, long wantedMark)
      throws IOException {
    store.run(
        (now, superblock) -> {
          DiskRowSet rowSet = now.rowSet(rowSetId);
          if (rowSet == null) {
            return null;
          }
          List<DeltaFile> files = DeltaCompactionPicker.files(rowSet, kind);
          long mark = AncientHistoryMark.of(now, wantedMark);
          boolean ancient =
              kind == DeltaFileWriter.Kind.UNDO
                  && files.stream().anyMatch(file -> file.minTimestamp() < mark);
          return files.size() > 1 || ancient
              ? merge(
                  now, rowSet, kind, new DeltaCompactionPolicy.Range(0, files.size()), wantedMark)
              : null;
        });
  }

  private StoreUpdate merge(
      Components now,
      DiskRowSet rowSet,
      DeltaFileWriter.Kind kind,
      DeltaCompactionPolicy.Range files,
      long wantedMark) {
    // Only UNDO changes are dropped below the mark.
    long mark = kind == DeltaFileWriter.Kind.UNDO ? AncientHistoryMark.of(now, wantedMark) : 0;
    return new MinorDeltaCompaction(environment, rowSet, kind, files.first(), files.count(), mark);
  }

  /** Merges the files if the rowset still has files at these positions. */
  boolean merge(
      long rowSetId, DeltaFileWriter.Kind kind, DeltaCompactionPolicy.Range files, long wantedMark)
      throws IOException {
    return store.run(
        (now, superblock) -> {
          DiskRowSet rowSet = now.rowSet(rowSetId);
          if (rowSet == null || files.count() <= 0) {
            return null;
          }
          boolean there =
              files.first() + files.count() <= DeltaCompactionPicker.files(rowSet, kind).size();
          return there ? merge(now, rowSet, kind, files, wantedMark) : null;
        });
  }

  /** Rewrites the columns that {@link DeltaCompactionPicker#major} chooses. */
  private void rewriteMuchChangedColumns(long rowSetId, long wantedMark) throws IOException {
    rewriteColumns(
        rowSetId,
        wantedMark,
        (rowSet, schema) -> {
          DeltaCompactionPicker.Major choice = DeltaCompactionPicker.major(rowSet, schema);
          return choice == null ? List.of() : choice.columnIds();
        });
  }

  private boolean rewriteColumns(
      long rowSetId, long wantedMark, BiFunction<DiskRowSet, Schema, List<Integer>> choose)
      throws IOException {
    return store.run(
        (now, superblock) -> {
          DiskRowSet rowSet = now.rowSet(rowSetId);
          if (rowSet == null) {
            return null;
          }
          TabletDescriptor tablet =
              SuperblockMessages.descriptor(superblock).withIndexesOf(state.descriptor());
          List<Integer> chosen = choose.apply(rowSet, tablet.schema());
          return chosen.isEmpty()
              ? null
              : new MajorDeltaCompaction(
                  environment, rowSet, tablet, chosen, AncientHistoryMark.of(now, wantedMark));
        });
  }

  /** Rewrites the given columns except key columns and dropped columns. */
  boolean rewrite(long rowSetId, List<Integer> columnIds, long wantedMark) throws IOException {
    return rewriteColumns(
        rowSetId,
        wantedMark,
        (rowSet, schema) ->
            columnIds.stream()
                .filter(id -> schema.indexOfId(id) >= schema.keyColumnCount())
                .toList());
  }

  /**
   * Rewrites all changed columns, then merges the delta files into at most one REDO and one UNDO
   * file.
   */
  void compactFully(long rowSetId, long wantedMark) throws IOException {
    rewriteColumns(rowSetId, wantedMark, DeltaCompactionPicker::changedColumns);
    mergeAll(rowSetId, DeltaFileWriter.Kind.REDO, wantedMark);
    mergeAll(rowSetId, DeltaFileWriter.Kind.UNDO, wantedMark);
  }
}
