package dev.kudu4j.tablet.components;

import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.delta.DeltaMemStore;
import dev.kudu4j.tablet.file.StoredFile;
import dev.kudu4j.tablet.rowset.BaseData;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One rowset on disk and all later changes of its rows.
 *
 * <pre>
 *   {@link RowSetFiles} | frozen store (being written as the next redo file) | active store
 *   ---------------------------------------------------------------------------------> newer
 * </pre>
 *
 * <p>From newest to oldest: active store, frozen store, REDO files from the last to the first, base
 * data. Immutable: replacing a file or store creates a new object that shares all other files and
 * stores. The {@link Components} that contain this rowset own its files and stores.
 */
public final class DiskRowSet {
  private final long id;
  private final RowSetFiles files;
  private final @Nullable RefCounted<DeltaMemStore> frozen;
  private final RefCounted<DeltaMemStore> active;
  private final Liveness liveness;

  /**
   * Borrows all files and stores. The {@link Components} that contain this rowset become an owner
   * of each.
   *
   * @param frozen null if no DeltaMemStore is being flushed
   */
  public DiskRowSet(
      long id,
      RowSetFiles files,
      @Nullable RefCounted<DeltaMemStore> frozen,
      RefCounted<DeltaMemStore> active,
      Liveness liveness) {
    this.id = id;
    this.files = files;
    this.frozen = frozen;
    this.active = active;
    this.liveness = liveness;
  }

  /** Unique in the tablet and never reused. */
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

  /** The files of this rowset. */
  public RowSetFiles onDisk() {
    return files;
  }

  /** All files that this rowset reads. */
  public List<StoredFile> files() {
    return files.all();
  }

  /**
   * The changes that a checkpoint is writing, older than those in {@link #activeDeltas}; null if no
   * store is frozen.
   */
  public @Nullable DeltaMemStore frozenDeltas() {
    return frozen == null ? null : frozen.get();
  }

  /** The store of the newest changes; it grows while it is read. */
  public DeltaMemStore activeDeltas() {
    return active.get();
  }

  /** The rows that are deleted in the latest state; for the writer. */
  public Liveness liveness() {
    return liveness;
  }

  /** The number of rows that READ_LATEST sees. */
  public long liveRowCount() {
    return liveness.liveCount();
  }

  /** A copy with the active store frozen and an empty active store. */
  public DiskRowSet withFrozenDeltas(RefCounted<DeltaMemStore> fresh) {
    assert frozen == null : "A store is frozen already";
    return new DiskRowSet(id, files, active, fresh, liveness);
  }

  /** A copy with a delta file instead of the frozen store. */
  public DiskRowSet withFlushedDeltas(DeltaFile file) {
    assert frozen != null : "No store is frozen";
    return new DiskRowSet(id, files.withRedoFile(file), null, active, liveness);
  }

  /** A copy that reads the same rows from other files; stores and liveness are shared. */
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
