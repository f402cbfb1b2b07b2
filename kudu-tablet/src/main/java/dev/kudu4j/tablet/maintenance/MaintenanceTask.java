package dev.kudu4j.tablet.maintenance;

import java.io.IOException;

/**
 * A small unit of work on a tablet, with its cost and benefit. It describes the tablet at the time
 * of the candidate's creation. Running it later does what is still useful, possibly nothing.
 */
public interface MaintenanceTask {
  /** The kind of work. */
  enum Kind {
    /** Writes everything in memory to disk. */
    FLUSH,
    /** Merges several delta files of a rowset into one. */
    MINOR_DELTA_COMPACTION,
    /** Moves changes of some columns to the base data of a rowset. */
    MAJOR_DELTA_COMPACTION,
    /**
     * Replaces several rowsets by others that overlap less; drops deleted rows and dropped columns.
     */
    ROWSET_COMPACTION,
    /** Drops history below the ancient history mark. */
    HISTORY_COLLECTION
  }

  Kind kind();

  /** The memory that it frees, in bytes. */
  long freedMemoryBytes();

  /** The disk space that it frees once the old files have no readers, in bytes; an estimate. */
  long freedDiskBytes();

  /** The bytes that it reads and writes; an estimate. */
  long ioBytes();

  /**
   * How much cheaper reads become, at least 0. For rowsets: the average number of rowsets that a
   * look-up no longer visits. For deltas: the share of a rowset's rows whose changes are no longer
   * applied, plus the files that are no longer opened.
   */
  double readGain();

  /** For operators: the kind, and the rowsets, columns or files concerned. */
  String description();

  /** Runs in the calling thread, concurrent with reads and writes of the tablet. */
  void run() throws IOException;
}
