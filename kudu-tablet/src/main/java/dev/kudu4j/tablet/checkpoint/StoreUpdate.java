package dev.kudu4j.tablet.checkpoint;

import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.proto.SuperblockPB;
import java.io.IOException;
import java.util.List;

/**
 * One replacement of rowsets, or of files of rowsets, by others: a checkpoint or a compaction.
 * {@link StoreUpdater} calls the methods in the order in which they stand here, in one thread,
 * while no other change is under way.
 */
public interface StoreUpdate extends AutoCloseable {
  /** Makes a change for what the tablet is now. */
  @FunctionalInterface
  interface Plan {
    /**
     * @param now pinned until the change has been closed; nothing in it is frozen
     * @param superblock what is on disk of it
     * @return null when nothing is left to be done
     */
    StoreUpdate of(Components now, SuperblockPB superblock) throws IOException;
  }

  /**
   * Writes and syncs the new files, and opens them: all that may fail for good reasons. When this
   * fails, the files are removed and nothing has happened. No lock is held.
   */
  void writeFiles(NewFiles files) throws IOException;

  /** Makes the superblock of before that of after. The next id is seen to. */
  void describe(SuperblockPB.Builder superblock);

  /**
   * The superblock is durable. Carries over what was written to the replaced parts meanwhile, as
   * far as that can be done beside the writer; true when it is worth another round. No lock is
   * held.
   */
  default boolean carryOver() throws IOException {
    return false;
  }

  /**
   * Carries over the rest; the writer lock is held, so that there is no more.
   *
   * @param now the rowsets of the version to be replaced; the same ones that the change was made
   *     for, perhaps with other schema beside
   * @return the rowsets of the next version, in any order
   */
  List<DiskRowSet> rowSets(List<DiskRowSet> now) throws IOException;

  /** Gives back the change's own hold on what it opened, whether or not it came to its end. */
  @Override
  void close();
}
