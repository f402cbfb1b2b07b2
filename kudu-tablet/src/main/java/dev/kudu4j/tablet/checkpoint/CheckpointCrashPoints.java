package dev.kudu4j.tablet.checkpoint;

import java.util.List;

/** Names of the crash points: each stands right before a durable step, or right after the last. */
public final class CheckpointCrashPoints {
  /** A new tablet's first superblock. */
  public static final String BEFORE_FIRST_SUPERBLOCK = "create: before the first superblock";

  /** The change is planned, a checkpoint's boundary is set; no file exists yet. */
  public static final String BEFORE_FILES = "store: before the first file";

  /** Base data is written in full, but not its footer, and not synced. */
  public static final String BEFORE_BASE_SYNC = "store: before base data is synced";

  /** Deltas are written, but not their footer, and not synced. */
  public static final String BEFORE_DELTA_SYNC = "store: before a delta file is synced";

  /** All files are synced, their names may be lost. */
  public static final String BEFORE_DIRECTORY_SYNC = "store: before the directory is synced";

  /** Files and names are durable; nothing names them yet. */
  public static final String BEFORE_SUPERBLOCK = "store: before the superblock";

  /** Durable, but the running tablet does not know yet. */
  public static final String BEFORE_SWAP = "store: before the swap";

  /** Between two rounds of the carry-over, beside the writer. */
  public static final String DURING_CARRY_OVER = "store: between rounds of the carry-over";

  /** Done. */
  public static final String AFTER_SWAP = "store: after the swap";

  /** A file that only older versions read is about to be deleted. */
  public static final String BEFORE_OBSOLETE_DELETE = "store: before an obsolete file is deleted";

  /** A file that the superblock does not name is about to be deleted. */
  public static final String BEFORE_GARBAGE_DELETE = "open: before garbage is deleted";

  /** All of a change of the store (checkpoint or compaction), in its order. */
  public static final List<String> OF_CHANGE =
      List.of(
          BEFORE_FILES,
          BEFORE_BASE_SYNC,
          BEFORE_DELTA_SYNC,
          BEFORE_DIRECTORY_SYNC,
          BEFORE_SUPERBLOCK,
          BEFORE_SWAP,
          DURING_CARRY_OVER,
          AFTER_SWAP,
          BEFORE_OBSOLETE_DELETE);

  private CheckpointCrashPoints() {}
}
