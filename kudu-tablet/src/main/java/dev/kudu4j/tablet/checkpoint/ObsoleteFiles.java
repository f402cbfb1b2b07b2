package dev.kudu4j.tablet.checkpoint;

import dev.kudu4j.common.thread.WouldBlock;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.file.StoredFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

/**
 * Files that the superblock on disk no longer references. Each is removed when its last reader
 * releases it. A failed removal is retried after the next store update, and at the latest when the
 * tablet is opened. Thread-safe: any scan can be the last reader.
 */
final class ObsoleteFiles {
  private final TabletEnvironment environment;
  private final BooleanSupplier isBusy;
  private final Queue<Path> unused = new ConcurrentLinkedQueue<>();

  /**
   * @param isBusy whether the calling thread holds a lock or runs a store update; if so, or if the
   *     thread must not block, a file that becomes unused is kept until {@link #remove}
   */
  ObsoleteFiles(TabletEnvironment environment, BooleanSupplier isBusy) {
    this.environment = environment;
    this.isBusy = isBusy;
  }

  /**
   * Schedules each file that is in {@code before} but not in {@code after} for removal as soon as
   * its last reader releases it.
   */
  void removeWhenReleased(List<DiskRowSet> before, List<DiskRowSet> after) {
    Set<StoredFile> kept = new HashSet<>();
    after.forEach(rowSet -> kept.addAll(rowSet.files()));
    for (DiskRowSet rowSet : before) {
      for (StoredFile file : rowSet.files()) {
        if (!kept.contains(file)) {
          removeWhenReleased(file);
        }
      }
    }
  }

  /** Schedules a file for removal as soon as its last reader releases it. */
  void removeWhenReleased(StoredFile file) {
    file.afterLastRelease(() -> released(file.file()));
  }

  private void released(Path file) {
    if (isBusy.getAsBoolean() || WouldBlock.isForbidden() || !isRemoved(file)) {
      unused.add(file);
    }
  }

  /** Adds files that have no reader; {@link #remove} removes them. */
  void add(Collection<Path> files) {
    unused.addAll(files);
  }

  /** Removes the files that have become unused so far. */
  void remove() {
    for (int left = unused.size(); left > 0; left--) {
      environment.crashPoints().reach(CheckpointCrashPoints.BEFORE_OBSOLETE_DELETE);
      Path file = unused.poll();
      if (file != null && !isRemoved(file)) {
        unused.add(file);
      }
    }
  }

  private boolean isRemoved(Path file) {
    try {
      if (environment.files().exists(file)) {
        environment.files().delete(file);
      }
      return true;
    } catch (IOException e) {
      return false; // the file is garbage; nothing depends on its removal
    }
  }
}
