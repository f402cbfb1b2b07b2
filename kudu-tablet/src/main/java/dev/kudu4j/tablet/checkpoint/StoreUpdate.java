package dev.kudu4j.tablet.checkpoint;

import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.proto.SuperblockPB;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An update that replaces rowsets or some of their files: a checkpoint or a compaction. {@link
 * StoreUpdater} calls the methods in declaration order, in one thread, while no other update runs.
 */
public interface StoreUpdate extends AutoCloseable {
  /** Creates an update for the tablet's current state. */
  @FunctionalInterface
  interface Plan {
    /**
     * @param now the current version, pinned until the update is closed; none of its stores is
     *     frozen
     * @param superblock the superblock on disk for this version
     * @return null if there is nothing to do
     */
    @Nullable StoreUpdate of(Components now, SuperblockPB superblock) throws IOException;
  }

  /**
   * Writes, syncs and opens the new files; all expected failures happen in this method. After a
   * failure the caller removes the files, and the tablet is unchanged. The caller does not hold the
   * writer lock.
   */
  void writeFiles(NewFiles files) throws IOException;

  /**
   * Changes the builder's content from the old superblock to the new superblock. The caller sets
   * the next id.
   */
  void describe(SuperblockPB.Builder superblock);

  /**
   * Runs after the superblock is durable. Carries over to the new stores the changes that were
   * applied to the replaced stores since the update started. Returns true if another round is
   * worthwhile. The caller does not hold the writer lock.
   */
  default boolean carryOver() throws IOException {
    return false;
  }

  /**
   * Carries over the remaining changes. The caller holds the writer lock, so no more changes
   * arrive.
   *
   * @param now the rowsets of the current version: those that the update was created for, possibly
   *     under a newer schema
   * @return the rowsets of the next version, in any order
   */
  List<DiskRowSet> finishAndListRowSets(List<DiskRowSet> now) throws IOException;

  /** Releases the update's own references, whether the update completed or not. */
  @Override
  void close();
}
