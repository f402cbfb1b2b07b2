package dev.kudu4j.tablet.maintenance;

import java.io.IOException;

/**
 * One small unit of work on a tablet, and what it is worth. Describes the tablet as it was when the
 * task was offered; running it later does what still makes sense, perhaps nothing.
 */
public interface MaintenanceTask {
  /** What a task does. */
  enum Kind {
    /** Everything in memory to disk. */
    FLUSH,
    /** Several delta files of a rowset to one. */
    MINOR_DELTA_COMPACTION,
    /** Changes of some columns into the base data of a rowset. */
    MAJOR_DELTA_COMPACTION,
    /** Several rowsets to others that overlap less; deleted rows and dropped columns go. */
    ROWSET_COMPACTION,
    /** History older than anybody may read. */
    HISTORY_COLLECTION
  }

  Kind kind();

  /** Memory that it frees, in bytes. */
  long freedMemoryBytes();

  /** Disk space that it frees once nobody reads the old files, in bytes; an estimate. */
  long freedDiskBytes();

  /** What it reads and writes, in bytes; an estimate. */
  long ioBytes();

  /**
   * How much cheaper reads get, at least 0: for rowsets, the average number of rowsets that a
   * look-up needs no longer visit; for deltas, the share of a rowset's rows whose changes need no
   * longer be applied, and the files that need no longer be opened.
   */
  double readGain();

  /** For people: the kind, and which rowsets, columns or files. */
  String description();

  /** Does it, in the calling thread. Reads and writes of the tablet go on meanwhile. */
  void run() throws IOException;
}
