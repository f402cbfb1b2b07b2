package dev.kudu4j.tablet.maintenance;

import java.io.IOException;

/**
 * A small unit of work on a tablet, with its cost and benefit at the time of its creation. {@link
 * #run} may be called much later. It does only the work that is still useful at that time, which
 * may be none.
 */
public interface MaintenanceTask {
  /** The kind of work. */
  enum Kind {
    /** Writes all in-memory data to disk. */
    FLUSH,
    /** Merges several delta files of a rowset into one. */
    MINOR_DELTA_COMPACTION,
    /** Moves changes of some columns to the base data of a rowset. */
    MAJOR_DELTA_COMPACTION,
    /**
     * Replaces several rowsets with rowsets that overlap less; removes ancient deleted rows and
     * dropped columns.
     */
    ROWSET_COMPACTION,
    /** Drops history below the ancient history mark: drops UNDO files, or rewrites a rowset. */
    HISTORY_COLLECTION,
    /**
     * Writes index files of a rowset that was written before the index was created, or drops those
     * of dropped indexes, or searches for equal rows of a unique index.
     */
    INDEX_BUILD
  }

  Kind kind();

  /** The memory that the task frees, in bytes. */
  default long freedMemoryBytes() {
    return 0;
  }

  /** An estimate of the disk space that is freed once the old files have no readers, in bytes. */
  default long freedDiskBytes() {
    return 0;
  }

  /** An estimate of the bytes that the task reads and writes. */
  long ioBytes();

  /**
   * The decrease of read cost, at least 0. For rowsets: the average number of rowsets that a lookup
   * no longer visits. For deltas: the share of a rowset's rows whose changes no longer need to be
   * applied, plus a weighted count of the files that no longer need to be opened.
   */
  double readGain();

  /** A description for operators: the kind, and the affected rowsets, columns or files. */
  String description();

  /** Runs in the calling thread, concurrent with reads and writes of the tablet. */
  void run() throws IOException;
}
