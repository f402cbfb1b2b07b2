package dev.kudu4j.tablet.env;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The files of one or more tablets. Data files are written once from front to back, synced, and
 * never changed; small metadata files are replaced atomically.
 */
public interface FileStore {
  /** Creates a new file for writing; fails when it exists. Parent directories are created. */
  WritableFile create(Path path) throws IOException;

  /** Opens a complete file for positional reads. */
  ReadableFile open(Path path) throws IOException;

  /**
   * Replaces the file's whole content atomically and durably: written aside, synced, renamed,
   * directory synced.
   */
  void replace(Path path, byte[] content) throws IOException;

  byte[] readAll(Path path) throws IOException;

  boolean exists(Path path) throws IOException;

  /** Names of the entries of a directory, sorted; empty when it does not exist. */
  List<String> list(Path directory) throws IOException;

  void delete(Path path) throws IOException;

  /** Removes a directory and what is in it. Symbolic links are removed, and never followed. */
  void deleteTree(Path directory) throws IOException;

  /** Makes the creation, renaming and removal of entries durable. */
  void syncDirectory(Path directory) throws IOException;
}
