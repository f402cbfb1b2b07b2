package dev.kudu4j.tablet.checkpoint;

import dev.kudu4j.tablet.env.TabletEnvironment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Gives out ids, and remembers the files of one attempt so that they can be removed again. */
final class NewFiles {
  private final TabletEnvironment environment;
  private final List<Path> created = new ArrayList<>();
  private long nextId;

  NewFiles(TabletEnvironment environment, long nextId) {
    this.environment = environment;
    this.nextId = nextId;
  }

  /** Unique in the tablet. */
  long newId() {
    return nextId++;
  }

  /** Every id given out so far is below. */
  long nextId() {
    return nextId;
  }

  /** A file of that name is about to be made. */
  Path create(String name) {
    Path path = environment.directory().resolve(name);
    created.add(path);
    return path;
  }

  boolean isEmpty() {
    return created.isEmpty();
  }

  /** The files are named by a superblock, or may be: they stay. */
  void keep() {
    created.clear();
  }

  /** Removes what an attempt left; failures are added to its cause, since an open cleans up too. */
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
