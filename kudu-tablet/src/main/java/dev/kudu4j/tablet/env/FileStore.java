package dev.kudu4j.tablet.env;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The files of one or more tablets. Data files are written once, sequentially, then synced and
 * never changed. Small metadata files are replaced atomically.
 */
public interface FileStore {
  /** Creates a new file for writing; fails if it exists. Creates parent directories. */
  WritableFile create(Path path) throws IOException;

  /** Opens a complete file for positional reads. */
  ReadableFile open(Path path) throws IOException;

  /**
   * Replaces the file's content atomically and durably: write a temporary file, sync, rename, sync
   * the directory.
   */
  void replace(Path path, byte[] content) throws IOException;

  byte[] readAll(Path path) throws IOException;

  boolean exists(Path path) throws IOException;

  /** The names of a directory's entries, sorted; empty if the directory does not exist. */
  List<String> list(Path directory) throws IOException;

  void delete(Path path) throws IOException;

  /** Removes a directory with its content. Removes symbolic links without following them. */
  void deleteTree(Path directory) throws IOException;

  /** Makes the creation, renaming and removal of the directory's entries durable. */
  void syncDirectory(Path directory) throws IOException;
}
