package dev.kudu4j.tablet.checkpoint;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.components.Liveness;
import dev.kudu4j.tablet.components.RefCounted;
import dev.kudu4j.tablet.components.RowSetFiles;
import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.delta.DeltaFileWriter;
import dev.kudu4j.tablet.delta.DeltaMemStore;
import dev.kudu4j.tablet.delta.RowChange;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.index.IndexFile;
import dev.kudu4j.tablet.proto.ColumnFilePB;
import dev.kudu4j.tablet.proto.DeltaFilePB;
import dev.kudu4j.tablet.proto.IndexFilePB;
import dev.kudu4j.tablet.proto.RowSetPB;
import dev.kudu4j.tablet.rowset.BaseData;
import dev.kudu4j.tablet.rowset.ColumnFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Opens the rowsets that a superblock references, or that were just written, and determines their
 * live rows. For each file that it opens and each DeltaMemStore that it creates, adds an action to
 * {@code releases} that releases the opener's reference.
 */
public final class RowSetOpener {
  private final TabletEnvironment environment;
  private final List<Runnable> releases;

  public RowSetOpener(TabletEnvironment environment, List<Runnable> releases) {
    this.environment = environment;
    this.releases = releases;
  }

  DiskRowSet open(RowSetPB message) throws IOException {
    BaseData base = openBase(message);
    Liveness liveness = new Liveness(base.rowCount());
    List<ColumnFile> columns = new ArrayList<>(message.getColumnFilesCount());
    for (ColumnFilePB file : message.getColumnFilesList()) {
      columns.add(openColumns(file, base.rowCount()));
    }
    List<DeltaFile> undo = new ArrayList<>(message.getUndoFilesCount());
    for (DeltaFilePB file : message.getUndoFilesList()) {
      undo.add(openDelta(file, DeltaFileWriter.Kind.UNDO));
    }
    List<DeltaFile> redo = new ArrayList<>(message.getRedoFilesCount());
    for (DeltaFilePB file : message.getRedoFilesList()) {
      DeltaFile deltas = openDelta(file, DeltaFileWriter.Kind.REDO);
      redo.add(deltas);
      followLiveness(deltas, liveness);
    }
    check(base.file(), "live rows", message.getLiveRowCount(), liveness.liveCount());
    List<IndexFile> indexes = new ArrayList<>(message.getIndexFilesCount());
    for (IndexFilePB file : message.getIndexFilesList()) {
      indexes.add(openIndex(file, base.rowCount()));
    }
    RowSetFiles files = new RowSetFiles(base, columns, undo, redo, indexes);
    return new DiskRowSet(message.getId(), files, null, emptyStore(), liveness);
  }

  /**
   * A rowset that no superblock references yet, with an empty DeltaMemStore. Writes its index
   * files.
   */
  public DiskRowSet openNew(WrittenRowSet written, NewFiles newFiles, TabletDescriptor tablet)
      throws IOException {
    BaseData base = BaseData.open(environment, written.base());
    releases.add(base::release);
    List<DeltaFile> undo = openNewDeltas(written.undo());
    List<DeltaFile> redo = openNewDeltas(written.redo());
    RowSetFiles unindexed = new RowSetFiles(base, List.of(), undo, redo, List.of());
    RowSetFiles files =
        new RowSetIndexer(environment, newFiles, releases::add)
            .index(written.id(), unindexed, tablet.indexes(), tablet.schema());
    return new DiskRowSet(written.id(), files, null, emptyStore(), written.liveness());
  }

  private List<DeltaFile> openNewDeltas(@Nullable Path path) throws IOException {
    if (path == null) {
      return List.of();
    }
    DeltaFile file = DeltaFile.open(environment, path);
    releases.add(file::release);
    return List.of(file);
  }

  private RefCounted<DeltaMemStore> emptyStore() {
    RefCounted<DeltaMemStore> store =
        new RefCounted<>(
            new DeltaMemStore(environment.allocator(), environment.options().arenaChunkBytes()));
    releases.add(store::release);
    return store;
  }

  private BaseData openBase(RowSetPB message) throws IOException {
    BaseData base =
        BaseData.open(environment, environment.directory().resolve(message.getBaseFile()));
    releases.add(base::release);
    check(base.file(), "rows", message.getRowCount(), base.rowCount());
    return base;
  }

  private ColumnFile openColumns(ColumnFilePB message, long rowCount) throws IOException {
    ColumnFile file =
        ColumnFile.open(environment, environment.directory().resolve(message.getFile()));
    releases.add(file::release);
    check(file.file(), "rows", rowCount, file.rowCount());
    check(file.file(), "columns", message.getColumnIdsCount(), file.columns().size());
    return file;
  }

  private IndexFile openIndex(IndexFilePB message, long rowCount) throws IOException {
    IndexFile file =
        IndexFile.open(environment, environment.directory().resolve(message.getFile()));
    releases.add(file::release);
    check(file.file(), "entries", rowCount, file.entryCount());
    check(file.file(), "columns", message.getColumnIdsCount(), file.columns().size());
    check(file.file(), "as index id", message.getIndexId(), file.indexId());
    return file;
  }

  private DeltaFile openDelta(DeltaFilePB message, DeltaFileWriter.Kind kind) throws IOException {
    DeltaFile file =
        DeltaFile.open(environment, environment.directory().resolve(message.getFile()));
    releases.add(file::release);
    check(file.file(), "changes", message.getCount(), file.count());
    if (file.kind() != kind) {
      throw KuduException.corruption(
          "%s does not match its superblock: expected %s, found %s",
          file.file(), kind, file.kind());
    }
    return file;
  }

  /**
   * Applies the deletes and reinserts of a REDO file to {@code liveness}. The newest change of a
   * row comes first in the file and determines whether the row is live.
   */
  private static void followLiveness(DeltaFile file, Liveness liveness) throws IOException {
    if (file.livenessChangeCount() == 0) {
      return;
    }
    try (DeltaFile.Cursor cursor = file.openCursor()) {
      for (boolean more = cursor.next(); more; more = cursor.nextRow()) {
        if (RowChange.kind(cursor.changeAddress()) == RowChange.DELETE) {
          liveness.delete(cursor.ordinal());
        } else {
          liveness.reinsert(cursor.ordinal());
        }
      }
    }
  }

  private static void check(Path file, String what, long expected, long found) {
    if (expected != found) {
      throw KuduException.corruption(
          "%s does not match its superblock: expected %d %s, found %d",
          file, expected, what, found);
    }
  }
}
