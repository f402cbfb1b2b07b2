package dev.kudu4j.tablet.checkpoint;

import dev.kudu4j.tablet.env.TabletEnvironment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Assigns ids and records the files of the running store update, so that they can be removed if the
 * update fails. Requires the monitor of {@link StoreUpdater}.
 */
public final class NewFiles {
  private final TabletEnvironment environment;
  private final List<Path> created = new ArrayList<>();

  /**
   * Files that the superblock on disk may or may not reference, because it is not known whether a
   * write of the superblock succeeded.
   */
  private final List<Path> possiblyReferenced = new ArrayList<>();

  private long nextId;

  NewFiles(TabletEnvironment environment, long nextId) {
    this.environment = environment;
    this.nextId = nextId;
  }

  /** A new id, unique within the tablet. */
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
   * Called before a superblock that references the created files is written. From then on the files
   * are kept until {@link #unreferencedFiles} is called, because even a failed write may have
   * replaced the superblock.
   */
  void beforeSuperblockWrite() {
    possiblyReferenced.addAll(created);
    created.clear();
  }

  /**
   * Called when a superblock that references exactly the files {@code named} is on disk. Returns
   * the files of failed updates, which this superblock does not reference.
   */
  List<Path> unreferencedFiles(Set<String> named) {
    List<Path> unreferenced = new ArrayList<>(possiblyReferenced);
    unreferenced.removeIf(path -> named.contains(path.getFileName().toString()));
    possiblyReferenced.clear();
    return unreferenced;
  }

  /**
   * Removes the files of an update that failed with {@code cause}. If a removal fails, its
   * exception is added to {@code cause}, and the file is removed when the tablet is opened the next
   * time.
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
