package dev.kudu4j.tablet.checkpoint;

import dev.kudu4j.tablet.env.TabletEnvironment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Gives out ids, and remembers the files of one change so that they can be removed again. Used
 * under the monitor of {@link StoreUpdater}.
 */
public final class NewFiles {
  private final TabletEnvironment environment;
  private final List<Path> created = new ArrayList<>();

  /** Perhaps named by the superblock on disk: it was about to be written. */
  private final List<Path> doubtful = new ArrayList<>();

  private long nextId;

  NewFiles(TabletEnvironment environment, long nextId) {
    this.environment = environment;
    this.nextId = nextId;
  }

  /** Unique in the tablet. */
  public long newId() {
    return nextId++;
  }

  /** Every id given out so far is below. */
  long nextId() {
    return nextId;
  }

  /** A file of that name is about to be made. */
  public Path create(String name) {
    Path path = environment.directory().resolve(name);
    created.add(path);
    return path;
  }

  boolean isEmpty() {
    return created.isEmpty();
  }

  /** The superblock is about to name them: they stay until it is known whether it does. */
  void mayBeNamed() {
    doubtful.addAll(created);
    created.clear();
  }

  /** A superblock is on disk that names just these: the files of failed changes that it lacks. */
  List<Path> losers(Set<String> named) {
    List<Path> lost = new ArrayList<>(doubtful);
    lost.removeIf(path -> named.contains(path.getFileName().toString()));
    doubtful.clear();
    return lost;
  }

  /** Removes what a change left; failures are added to its cause, since an open cleans up too. */
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
