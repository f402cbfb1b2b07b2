package dev.kudu4j.tablet.checkpoint;

import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.components.RowSetTree;
import dev.kudu4j.tablet.components.Shared;
import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.delta.DeltaFileWriter;
import dev.kudu4j.tablet.delta.DeltaMemStore;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.proto.RowSetPB;
import dev.kudu4j.tablet.proto.SuperblockPB;
import dev.kudu4j.tablet.rowset.BaseData;
import dev.kudu4j.tablet.superblock.Superblocks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One attempt to write what was frozen: files first, then the superblock's content. Holds the files
 * open until the tablet has taken them over. Not thread-safe; no lock is held.
 */
final class CheckpointAttempt implements AutoCloseable {
  private final TabletEnvironment environment;
  private final NewFiles files;
  private final Freeze freeze;

  /** Delta files by the rowset whose frozen store they are. */
  private final Map<Long, DeltaFile> flushedDeltas = new HashMap<>();

  private final List<DiskRowSet> newRowSets = new ArrayList<>();
  private final List<Runnable> releases = new ArrayList<>();

  CheckpointAttempt(TabletEnvironment environment, NewFiles files, Freeze freeze) {
    this.environment = environment;
    this.files = files;
    this.freeze = freeze;
  }

  /** All files are complete, synced and open when this returns, and so are their names. */
  void writeFiles() throws IOException {
    environment.crashPoints().reach(CheckpointSteps.BEFORE_FILES);
    for (DiskRowSet rowSet : freeze.components().rowSets()) {
      if (rowSet.frozenDeltas() != null) {
        writeDeltas(rowSet);
      }
    }
    if (freeze.components().frozenMemRowSet() != null) {
      writeMemRowSet();
    }
    if (!files.isEmpty()) {
      environment.crashPoints().reach(CheckpointSteps.BEFORE_DIRECTORY_SYNC);
      environment.files().syncDirectory(environment.directory());
    }
  }

  private void writeDeltas(DiskRowSet rowSet) throws IOException {
    Path path = files.create(FileNames.redo(rowSet.id(), files.newId()));
    try (DeltaFileWriter out = new DeltaFileWriter(environment, path, DeltaFileWriter.Kind.REDO)) {
      DeltaMemStore.Cursor cursor = rowSet.frozenDeltas().cursor();
      while (cursor.next()) {
        out.appendChain(cursor.ordinal(), cursor.newest());
      }
      environment.crashPoints().reach(CheckpointSteps.BEFORE_DELTA_SYNC);
      out.finish();
    }
    flushedDeltas.put(rowSet.id(), openDelta(path));
  }

  private void writeMemRowSet() throws IOException {
    List<WrittenRowSet> written;
    try (MemRowSetWriter writer =
        new MemRowSetWriter(
            environment,
            files,
            freeze.components().frozenMemRowSet(),
            freeze.descriptor().schema(),
            freeze.maxTimestamp())) {
      written = writer.write();
    }
    for (WrittenRowSet rowSet : written) {
      newRowSets.add(open(rowSet));
    }
  }

  private DiskRowSet open(WrittenRowSet written) throws IOException {
    BaseData base = BaseData.open(environment, written.base());
    releases.add(base::release);
    List<DeltaFile> redo = written.redo() == null ? List.of() : List.of(openDelta(written.redo()));
    Shared<DeltaMemStore> active =
        new Shared<>(
            new DeltaMemStore(environment.allocator(), environment.options().arenaChunkBytes()));
    releases.add(active::release);
    return new DiskRowSet(written.id(), base, redo, null, active, written.liveness());
  }

  private DeltaFile openDelta(Path path) throws IOException {
    DeltaFile file = DeltaFile.open(environment, path);
    releases.add(file::release);
    return file;
  }

  /** The rowsets that the frozen MemRowSet became, with empty stores. */
  List<DiskRowSet> newRowSets() {
    return newRowSets;
  }

  /** The superblock of the boundary. */
  SuperblockPB superblock(SuperblockPB before) {
    SuperblockPB.Builder message = before.toBuilder();
    Superblocks.setDescriptor(message, freeze.descriptor());
    Superblocks.setPosition(message, freeze.position());
    message
        .setMaxTimestamp(freeze.maxTimestamp())
        .setAutoIncrementCounter(freeze.autoIncrementCounter())
        .setNextId(files.nextId())
        .clearClients()
        .addAllClients(freeze.clients());
    for (RowSetPB.Builder rowSet : message.getRowSetsBuilderList()) {
      rowSet.setLiveRowCount(freeze.liveRows().get(rowSet.getId()));
      DeltaFile deltas = flushedDeltas.get(rowSet.getId());
      if (deltas != null) {
        rowSet.addRedoFiles(RowSetMessages.ofDelta(deltas));
      }
    }
    for (DiskRowSet rowSet : newRowSets) {
      message.addRowSets(newRowSet(rowSet));
    }
    return message.build();
  }

  /** Before the carry-over: liveness is that of the boundary. */
  private static RowSetPB newRowSet(DiskRowSet rowSet) {
    RowSetPB.Builder message = RowSetMessages.ofBase(rowSet.id(), rowSet.base());
    rowSet.redoFiles().forEach(file -> message.addRedoFiles(RowSetMessages.ofDelta(file)));
    return message.setLiveRowCount(rowSet.liveRowCount()).build();
  }

  /** The rowsets of now, with files in place of what was frozen in them, and the new ones. */
  RowSetTree treeAfter(List<DiskRowSet> now) {
    List<DiskRowSet> after = new ArrayList<>(newRowSets);
    for (DiskRowSet rowSet : now) {
      DeltaFile deltas = flushedDeltas.get(rowSet.id());
      after.add(deltas == null ? rowSet : rowSet.withFlushedDeltas(deltas));
    }
    return new RowSetTree(after);
  }

  /** Gives back this attempt's hold on the files it opened. */
  @Override
  public void close() {
    releases.forEach(Runnable::run);
    releases.clear();
  }
}
