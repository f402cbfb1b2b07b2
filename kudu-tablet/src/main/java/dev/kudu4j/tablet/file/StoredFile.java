package dev.kudu4j.tablet.file;

import java.nio.file.Path;

/** A data file that is open and counts its users; the last one's release closes it. */
public interface StoredFile {
  Path file();

  long fileBytes();

  /**
   * Runs the action when the last user has released the file and it is closed; at once is never,
   * since the caller is a user. Set at most once.
   */
  void afterLastRelease(Runnable action);
}
