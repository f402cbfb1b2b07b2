package dev.kudu4j.tablet.checkpoint;

import java.util.List;

/** Names of the crash points: each stands right before a durable step, or right after the last. */
public final class CheckpointSteps {
  /** A new tablet's first superblock. */
  public static final String BEFORE_FIRST_SUPERBLOCK = "create: before the first superblock";

  /** The boundary is set; no file exists yet. */
  public static final String BEFORE_FILES = "checkpoint: before the first file";

  /** Base data is written in full, but not its footer, and not synced. */
  public static final String BEFORE_BASE_SYNC = "checkpoint: before base data is synced";

  /** Deltas are written, but not their footer, and not synced. */
  public static final String BEFORE_DELTA_SYNC = "checkpoint: before a delta file is synced";

  /** All files are synced, their names may be lost. */
  public static final String BEFORE_DIRECTORY_SYNC = "checkpoint: before the directory is synced";

  /** Files and names are durable; nothing names them yet. */
  public static final String BEFORE_SUPERBLOCK = "checkpoint: before the superblock";

  /** Durable, but the running tablet does not know yet. */
  public static final String BEFORE_SWAP = "checkpoint: before the swap";

  /** Done. */
  public static final String AFTER_SWAP = "checkpoint: after the swap";

  /** A file that the superblock does not name is about to be deleted. */
  public static final String BEFORE_GARBAGE_DELETE = "open: before garbage is deleted";

  /** All of a checkpoint, in its order. */
  public static final List<String> OF_CHECKPOINT =
      List.of(
          BEFORE_FILES,
          BEFORE_BASE_SYNC,
          BEFORE_DELTA_SYNC,
          BEFORE_DIRECTORY_SYNC,
          BEFORE_SUPERBLOCK,
          BEFORE_SWAP,
          AFTER_SWAP);

  private CheckpointSteps() {}
}
