package dev.kudu4j.tablet.components;

import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.delta.DeltaMemStore;
import dev.kudu4j.tablet.file.StoredFile;
import dev.kudu4j.tablet.rowset.BaseData;
import java.util.List;

/**
 * One rowset on disk and everything that changed its rows since.
 *
 * <pre>
 *   {@link RowSetFiles} | frozen store (being written as the next redo file) | active store
 *   ---------------------------------------------------------------------------------> newer
 * </pre>
 *
 * <p>Newest changes first means: active store, frozen store, redo files from the last to the first,
 * base. Immutable: a change of parts makes a new object that shares them. The parts belong to the
 * {@link Components} that hold this rowset.
 */
public final class DiskRowSet {
  private final long id;
  private final RowSetFiles files;
  private final RefCounted<DeltaMemStore> frozen;
  private final RefCounted<DeltaMemStore> active;
  private final Liveness liveness;

  /**
   * Borrows all parts; {@link Components} makes itself an owner.
   *
   * @param frozen null when nothing is being flushed
   */
  public DiskRowSet(
      long id,
      RowSetFiles files,
      RefCounted<DeltaMemStore> frozen,
      RefCounted<DeltaMemStore> active,
      Liveness liveness) {
    this.id = id;
    this.files = files;
    this.frozen = frozen;
    this.active = active;
    this.liveness = liveness;
  }

  /** Unique in the tablet, never used again. */
  public long id() {
    return id;
  }

  public BaseData base() {
    return files.base();
  }

  /** UNDO files, oldest first. */
  public List<DeltaFile> undoFiles() {
    return files.undoFiles();
  }

  /** REDO files, oldest first. */
  public List<DeltaFile> redoFiles() {
    return files.redoFiles();
  }

  /** What is on disk of it. */
  public RowSetFiles onDisk() {
    return files;
  }

  /** All files that this rowset reads. */
  public List<StoredFile> files() {
    return files.all();
  }

  /** The changes that a checkpoint is writing out, older than the active ones; null when none. */
  public DeltaMemStore frozenDeltas() {
    return frozen == null ? null : frozen.get();
  }

  /** The changes since; grows while it is read. */
  public DeltaMemStore activeDeltas() {
    return active.get();
  }

  /** What the writer knows of deleted rows. */
  public Liveness liveness() {
    return liveness;
  }

  /** Rows that READ_LATEST would see. */
  public long liveRowCount() {
    return liveness.liveCount();
  }

  /** This rowset with its active store frozen and a fresh one in its place. */
  public DiskRowSet withFrozenDeltas(RefCounted<DeltaMemStore> fresh) {
    assert frozen == null : "A store is frozen already";
    return new DiskRowSet(id, files, active, fresh, liveness);
  }

  /** This rowset with a delta file in place of its frozen store. */
  public DiskRowSet withFlushedDeltas(DeltaFile file) {
    assert frozen != null : "No store is frozen";
    return new DiskRowSet(id, files.withRedoFile(file), null, active, liveness);
  }

  /** This rowset with other files that say the same; its stores and liveness go on. */
  public DiskRowSet withFiles(RowSetFiles others) {
    return new DiskRowSet(id, others, frozen, active, liveness);
  }

  void retainParts() {
    files.retain();
    if (frozen != null) {
      frozen.retain();
    }
    active.retain();
  }

  void releaseParts() {
    files.release();
    if (frozen != null) {
      frozen.release();
    }
    active.release();
  }

  @Override
  public String toString() {
    return "DiskRowSet " + id;
  }
}
