package dev.kudu4j.tablet.checkpoint;

import dev.kudu4j.tablet.apply.AppliedState;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.components.RowSetTree;
import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.delta.DeltaFileWriter;
import dev.kudu4j.tablet.delta.DeltaMemStore;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.memrowset.MemRowSet;
import dev.kudu4j.tablet.proto.RowSetPB;
import dev.kudu4j.tablet.proto.SuperblockPB;
import dev.kudu4j.tablet.superblock.SuperblockMessages;
import dev.kudu4j.tablet.transaction.StagedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to write the frozen stores and to advance the superblock to the boundary, the log
 * position at which the stores were frozen.
 *
 * <p>Changes of frozen rows that arrive during the attempt are collected. At the end they are
 * carried over to the DeltaMemStores of the rowsets that the rows were written to.
 */
final class Checkpoint implements StoreUpdate {
  /**
   * If more changes than this are collected, another round carries them over before the writer is
   * blocked.
   */
  private static final int FEW_CHANGES = 256;

  private static final int MAX_ROUNDS = 16;

  private final TabletEnvironment environment;
  private final AppliedState state;
  private final FrozenState freeze;

  /** The delta file that replaces a rowset's frozen DeltaMemStore, by rowset id. */
  private final Map<Long, DeltaFile> flushedDeltas = new HashMap<>();

  private final List<DiskRowSet> newRowSets = new ArrayList<>();
  private final List<Runnable> releases = new ArrayList<>();
  private @Nullable StagedFile staged; // null without new staged rows
  private @Nullable MemRowSetCarryOver carryOver; // null until the files are written
  private int rounds;

  Checkpoint(TabletEnvironment environment, AppliedState state, FrozenState freeze) {
    this.environment = environment;
    this.state = state;
    this.freeze = freeze;
  }

  @Override
  public void writeFiles(NewFiles files) throws IOException {
    for (DiskRowSet rowSet : freeze.components().rowSets()) {
      DeltaMemStore deltas = rowSet.frozenDeltas();
      if (deltas != null) {
        writeDeltas(rowSet.id(), deltas, files);
      }
    }
    MemRowSet rows = freeze.components().frozenMemRowSet();
    if (rows != null) {
      writeMemRowSet(rows, files);
    }
    carryOver = new MemRowSetCarryOver(new RowSetTree(newRowSets));
    writeStagedRows(files);
  }

  private void writeStagedRows(NewFiles files) throws IOException {
    if (freeze.transactions().inMemory().isEmpty()) {
      return;
    }
    Path path = files.create(FileNames.staged(files.newId()));
    StagedFile.write(
        environment,
        path,
        freeze.transactions().inMemory(),
        () -> environment.crashPoints().reach(CheckpointCrashPoints.BEFORE_STAGED_SYNC));
    StagedFile file = StagedFile.open(environment, path);
    releases.add(file::release);
    staged = file;
  }

  private void writeDeltas(long rowSetId, DeltaMemStore deltas, NewFiles files) throws IOException {
    Path path = files.create(FileNames.redo(rowSetId, files.newId()));
    try (DeltaFileWriter out = new DeltaFileWriter(environment, path, DeltaFileWriter.Kind.REDO)) {
      DeltaMemStore.Cursor cursor = deltas.cursor();
      while (cursor.next()) {
        out.appendChain(cursor.ordinal(), cursor.newest());
      }
      environment.crashPoints().reach(CheckpointCrashPoints.BEFORE_DELTA_SYNC);
      out.finish();
    }
    flushedDeltas.put(rowSetId, openDelta(path));
  }

  private void writeMemRowSet(MemRowSet rows, NewFiles files) throws IOException {
    List<WrittenRowSet> written;
    try (MemRowSetWriter writer =
        new MemRowSetWriter(
            environment,
            files,
            rows,
            freeze.descriptor().schema(),
            new FrozenChanges(rows.changes(), freeze.changeCount()),
            freeze.components().ancientHistoryMark())) {
      written = writer.write();
    }
    RowSetOpener opener = new RowSetOpener(environment, releases);
    for (WrittenRowSet rowSet : written) {
      newRowSets.add(opener.openNew(rowSet, files, freeze.descriptor()));
    }
  }

  private DeltaFile openDelta(Path path) throws IOException {
    DeltaFile file = DeltaFile.open(environment, path);
    releases.add(file::release);
    return file;
  }

  /** Sets the superblock's content to the state at the boundary. */
  @Override
  public void describe(SuperblockPB.Builder message) {
    SuperblockMessages.setDescriptor(message, freeze.descriptor());
    SuperblockMessages.setPosition(message, freeze.position());
    message
        .setMaxTimestamp(freeze.maxTimestamp())
        .setAutoIncrementCounter(freeze.autoIncrementCounter())
        .clearClients()
        .addAllClients(freeze.clients());
    freeze.transactions().describe(message);
    if (staged != null) {
      message.addStagedFiles(staged.file().getFileName().toString());
    }
    for (RowSetPB.Builder rowSet : message.getRowSetsBuilderList()) {
      rowSet.setLiveRowCount(
          Objects.requireNonNull(
              freeze.liveRows().get(rowSet.getId()), "the rows of each rowset were counted"));
      DeltaFile deltas = flushedDeltas.get(rowSet.getId());
      if (deltas != null) {
        rowSet.addRedoFiles(RowSetMessages.ofDelta(deltas));
      }
    }
    for (DiskRowSet rowSet : newRowSets) {
      message.addRowSets(newRowSet(rowSet));
    }
  }

  /**
   * The superblock entry of a new rowset. Called before the carry-over, so the live row count is
   * the count at the boundary.
   */
  private static RowSetPB newRowSet(DiskRowSet rowSet) {
    return RowSetMessages.of(rowSet.id(), rowSet.onDisk())
        .setLiveRowCount(rowSet.liveRowCount())
        .build();
  }

  private MemRowSetCarryOver carryOverOfWritten() {
    return Objects.requireNonNull(carryOver, "the files are written first");
  }

  /** Carries over the collected changes if they are many, without blocking the writer. */
  @Override
  public boolean carryOver() throws IOException {
    long[] changes;
    state.writerLock().lock();
    try {
      int left = freeze.changes().count() - carryOverOfWritten().moved();
      if (left <= FEW_CHANGES || rounds++ == MAX_ROUNDS) {
        return false;
      }
      changes = freeze.changes().from(carryOverOfWritten().moved());
    } finally {
      state.writerLock().unlock();
    }
    carryOverOfWritten().move(changes);
    return true;
  }

  /**
   * Carries over the remaining changes. Returns the current rowsets, with delta files instead of
   * frozen stores, and the new rowsets.
   */
  @Override
  public List<DiskRowSet> finishAndListRowSets(List<DiskRowSet> now) throws IOException {
    carryOverOfWritten().move(freeze.changes().from(carryOverOfWritten().moved()));
    List<DiskRowSet> after = new ArrayList<>(newRowSets);
    for (DiskRowSet rowSet : now) {
      DeltaFile deltas = flushedDeltas.get(rowSet.id());
      after.add(deltas == null ? rowSet : rowSet.withFlushedDeltas(deltas));
    }
    if (staged != null) {
      state.transactions().spilled(freeze.transactions(), staged);
    }
    return after;
  }

  @Override
  public void close() {
    releases.forEach(Runnable::run);
    releases.clear();
  }
}
