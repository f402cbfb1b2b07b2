package dev.kudu4j.tablet.env;

import dev.kudu4j.common.status.KuduException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A file store that touches nothing outside some directories: the last guard before a file is made,
 * read, replaced or removed.
 *
 * <p>Names of tablets and files come from other servers and from superblocks, and are checked where
 * they are read. A check that is missing there must not cost anybody's files; so a path that leaves
 * the directories, or is one of them, is refused here with CORRUPTION, before anything happens.
 * Paths are compared as they are written: an operator may put a directory elsewhere with a symbolic
 * link.
 *
 * <p>Thread-safe, as the store below it.
 */
public final class ConfinedFileStore implements FileStore {
  private final FileStore files;
  private final List<Path> directories;

  /**
   * @param directories whose content may be touched
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
        "The path %s is not inside the directories of this server's tablets, %s; it is not touched",
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

  /** Also of the directories themselves: that changes nothing. */
  @Override
  public void syncDirectory(Path directory) throws IOException {
    files.syncDirectory(directory);
  }
}
