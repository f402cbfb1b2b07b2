package dev.kudu4j.tablet.compaction.delta;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.delta.DeltaFileWriter.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Picks the best delta compaction of each kind over the rowsets of a tablet. */
public final class DeltaCompactionPicker {
  /**
   * The gain if readers open one file less, as a share of the rowset's rows like {@link
   * DeltaCompactionPolicy#majorGain}.
   */
  private static final double FILE_GAIN = 0.01;

  private DeltaCompactionPicker() {}

  /**
   * Adjacent delta files of a rowset to merge.
   *
   * @param gain see {@link dev.kudu4j.tablet.maintenance.MaintenanceTask#readGain}
   */
  public record Minor(
      long rowSetId, Kind kind, DeltaCompactionPolicy.Range files, long bytes, double gain) {}

  /**
   * Columns of a rowset to rewrite.
   *
   * @param bytes estimated bytes to read and write
   */
  public record Major(long rowSetId, List<Integer> columnIds, long bytes, double gain) {}

  /** The minor compaction with the largest gain; null if none is worthwhile. */
  public static @Nullable Minor minor(List<DiskRowSet> rowSets, long budgetBytes) {
    return rowSets.stream()
        .flatMap(rowSet -> minors(rowSet, budgetBytes).stream())
        .max(Comparator.comparingDouble(Minor::gain))
        .orElse(null);
  }

  /** The files of the kind that are worth merging; null if there are none. */
  public static DeltaCompactionPolicy.@Nullable Range toMerge(
      DiskRowSet rowSet, Kind kind, long budgetBytes) {
    long[] bytes = files(rowSet, kind).stream().mapToLong(DeltaFile::fileBytes).toArray();
    return DeltaCompactionPolicy.toMerge(bytes, budgetBytes);
  }

  /** A rowset's files of one kind, oldest first. */
  public static List<DeltaFile> files(DiskRowSet rowSet, Kind kind) {
    return kind == Kind.REDO ? rowSet.redoFiles() : rowSet.undoFiles();
  }

  /** The candidate merges of one rowset. */
  private static List<Minor> minors(DiskRowSet rowSet, long budgetBytes) {
    List<Minor> found = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      DeltaCompactionPolicy.Range range = toMerge(rowSet, kind, budgetBytes);
      if (range != null) {
        long inputs =
            files(rowSet, kind).subList(range.first(), range.first() + range.count()).stream()
                .mapToLong(DeltaFile::fileBytes)
                .sum();
        // Merging UNDO files gains less, because a scan of the latest state opens none of them.
        double gain = FILE_GAIN * (range.count() - 1) * (kind == Kind.REDO ? 1 : 0.1);
        found.add(new Minor(rowSet.id(), kind, range, inputs, gain));
      }
    }
    return found;
  }

  /**
   * The major compaction with the largest gain; null if none is worthwhile.
   *
   * @param schema the tablet's schema
   */
  public static @Nullable Major major(List<DiskRowSet> rowSets, Schema schema, long budgetBytes) {
    @Nullable Major best = null;
    for (DiskRowSet rowSet : rowSets) {
      Major choice = major(rowSet, schema);
      if (choice != null
          && choice.bytes() <= budgetBytes
          && (best == null || choice.gain() > best.gain())) {
        best = choice;
      }
    }
    return best;
  }

  /** The columns of a rowset with enough changes to be rewritten; null if there are none. */
  public static @Nullable Major major(DiskRowSet rowSet, Schema schema) {
    long rows = rowSet.base().rowCount();
    double max = 0;
    double sum = 0;
    long bytes = rowSet.redoFiles().stream().mapToLong(DeltaFile::fileBytes).sum();
    List<Integer> chosen = new ArrayList<>();
    for (int id : changedColumns(rowSet, schema)) {
      long changes = changes(rowSet, id);
      max = Math.max(max, DeltaCompactionPolicy.majorGain(changes, rows));
      if (DeltaCompactionPolicy.goesAlong(changes, rows)) {
        chosen.add(id);
        sum += (double) changes / rows;
        bytes += rowSet.onDisk().columnBytes(id);
      }
    }
    return max == 0 ? null : new Major(rowSet.id(), chosen, bytes, Math.min(1.0, sum) + FILE_GAIN);
  }

  /** Ids of the non-key columns with changes in REDO files. */
  public static List<Integer> changedColumns(DiskRowSet rowSet, Schema schema) {
    return schema.columns().stream()
        .filter(column -> !column.isKey() && changes(rowSet, column.id()) > 0)
        .map(ColumnSchema::id)
        .toList();
  }

  private static long changes(DiskRowSet rowSet, int columnId) {
    return rowSet.redoFiles().stream().mapToLong(file -> file.changesOf(columnId)).sum();
  }
}
