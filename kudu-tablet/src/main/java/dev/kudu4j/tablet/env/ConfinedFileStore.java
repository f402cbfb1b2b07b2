package dev.kudu4j.tablet.env;

import dev.kudu4j.common.status.KuduException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A file store that is confined to some directories: the last check before a file is created, read,
 * replaced or removed.
 *
 * <p>Names of tablets and files come from other servers and from superblocks, and are validated
 * where they are read. Files must be safe even if a validation is missing. Therefore a path outside
 * the directories, or a directory itself, is rejected here with CORRUPTION before any effect.
 * Symbolic links are not resolved: an operator may relocate a directory with a symbolic link.
 *
 * <p>Thread-safe, like the underlying store.
 */
public final class ConfinedFileStore implements FileStore {
  private final FileStore files;
  private final List<Path> directories;

  /**
   * @param directories the directories whose content may be accessed
   */
  public ConfinedFileStore(FileStore files, List<Path> directories) {
    this.files = files;
    this.directories =
        directories.stream().map(directory -> directory.toAbsolutePath().normalize()).toList();
  }

  private Path inside(Path path) {
    Path plain = path.toAbsolutePath().normalize();
    for (Path directory : directories) {
      if (plain.startsWith(directory) && !plain.equals(directory)) {
        return path;
      }
    }
    throw KuduException.corruption(
        "Path %s is outside the directories of this server's tablets %s; access denied",
        path, directories);
  }

  @Override
  public WritableFile create(Path path) throws IOException {
    return files.create(inside(path));
  }

  @Override
  public ReadableFile open(Path path) throws IOException {
    return files.open(inside(path));
  }

  @Override
  public void replace(Path path, byte[] content) throws IOException {
    files.replace(inside(path), content);
  }

  @Override
  public byte[] readAll(Path path) throws IOException {
    return files.readAll(inside(path));
  }

  @Override
  public boolean exists(Path path) throws IOException {
    return files.exists(inside(path));
  }

  @Override
  public List<String> list(Path directory) throws IOException {
    return files.list(inside(directory));
  }

  @Override
  public void delete(Path path) throws IOException {
    files.delete(inside(path));
  }

  @Override
  public void deleteTree(Path directory) throws IOException {
    files.deleteTree(inside(directory));
  }

  /** Allows any directory, because a sync changes nothing. */
  @Override
  public void syncDirectory(Path directory) throws IOException {
    files.syncDirectory(directory);
  }
}
