package dev.kudu4j.tablet.checkpoint;

import dev.kudu4j.tablet.env.TabletEnvironment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Assigns ids and records the files of one store update, so that they can be removed on failure.
 * Requires the monitor of {@link StoreUpdater}.
 */
public final class NewFiles {
  private final TabletEnvironment environment;
  private final List<Path> created = new ArrayList<>();

  /** Files that the superblock on disk may reference, because its write may have failed. */
  private final List<Path> doubtful = new ArrayList<>();

  private long nextId;

  NewFiles(TabletEnvironment environment, long nextId) {
    this.environment = environment;
    this.nextId = nextId;
  }

  /** Unique within the tablet. */
  public long newId() {
    return nextId++;
  }

  /** The exclusive upper bound of all ids assigned so far. */
  long nextId() {
    return nextId;
  }

  /** Registers a file that is about to be created. */
  public Path create(String name) {
    Path path = environment.directory().resolve(name);
    created.add(path);
    return path;
  }

  boolean isEmpty() {
    return created.isEmpty();
  }

  /**
   * Marks the files as possibly referenced, before a superblock with them is written. They are kept
   * until the outcome is known.
   */
  void mayBeNamed() {
    doubtful.addAll(created);
    created.clear();
  }

  /**
   * Called when a superblock that references exactly these files is on disk. Returns the files of
   * failed updates, which it does not reference.
   */
  List<Path> losers(Set<String> named) {
    List<Path> lost = new ArrayList<>(doubtful);
    lost.removeIf(path -> named.contains(path.getFileName().toString()));
    doubtful.clear();
    return lost;
  }

  /**
   * Removes the files of a failed update. Failures are added to the cause; the next open also
   * cleans up.
   */
  void removeAfter(Throwable cause) {
    for (Path path : created) {
      try {
        if (environment.files().exists(path)) {
          environment.files().delete(path);
        }
      } catch (IOException | RuntimeException e) {
        cause.addSuppressed(e);
      }
    }
    created.clear();
  }
}
