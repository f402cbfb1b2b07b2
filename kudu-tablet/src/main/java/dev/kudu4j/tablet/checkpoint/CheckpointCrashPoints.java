package dev.kudu4j.tablet.checkpoint;

import java.util.List;

/**
 * Names of crash points. Each crash point is immediately before a durable step, or immediately
 * after the last durable step.
 */
public final class CheckpointCrashPoints {
  /** A crash before the first superblock of a new tablet is written. */
  public static final String BEFORE_FIRST_SUPERBLOCK = "create: before the first superblock";

  /** The store update is planned, and a checkpoint's boundary is set; no new file exists yet. */
  public static final String BEFORE_FILES = "store: before the first file";

  /**
   * Base data, or a file of rewritten columns, is complete except for its footer, but not synced.
   */
  public static final String BEFORE_BASE_SYNC = "store: before base data is synced";

  /** A delta file is complete except for its footer, but not synced. */
  public static final String BEFORE_DELTA_SYNC = "store: before a delta file is synced";

  /** An index file is complete except for its ordinals and footer, but not synced. */
  public static final String BEFORE_INDEX_SYNC = "store: before an index file is synced";

  /** A file of staged rows is complete except for its footer, but not synced. */
  public static final String BEFORE_STAGED_SYNC = "store: before staged rows are synced";

  /** All new files are synced; their directory entries may be lost. */
  public static final String BEFORE_DIRECTORY_SYNC = "store: before the directory is synced";

  /** The new files and their directory entries are durable; no superblock references them yet. */
  public static final String BEFORE_SUPERBLOCK = "store: before the superblock";

  /** The superblock is durable; the running tablet still uses the old version of its components. */
  public static final String BEFORE_SWAP = "store: before the swap";

  /** Between two rounds of the carry-over, concurrent with the writer. */
  public static final String DURING_CARRY_OVER = "store: between rounds of the carry-over";

  /** The store update is complete. */
  public static final String AFTER_SWAP = "store: after the swap";

  /** A crash before the deletion of a file that the current superblock no longer references. */
  public static final String BEFORE_OBSOLETE_DELETE = "store: before an obsolete file is deleted";

  /**
   * When a tablet is opened, before the deletion of a file that the superblock does not reference.
   */
  public static final String BEFORE_GARBAGE_DELETE = "open: before garbage is deleted";

  /** All crash points of a store update (checkpoint or compaction), in order. */
  public static final List<String> OF_CHANGE =
      List.of(
          BEFORE_FILES,
          BEFORE_BASE_SYNC,
          BEFORE_DELTA_SYNC,
          BEFORE_INDEX_SYNC,
          BEFORE_STAGED_SYNC,
          BEFORE_DIRECTORY_SYNC,
          BEFORE_SUPERBLOCK,
          BEFORE_SWAP,
          DURING_CARRY_OVER,
          AFTER_SWAP,
          BEFORE_OBSOLETE_DELETE);

  private CheckpointCrashPoints() {}
}
