package dev.kudu4j.benchmarks.find;

import dev.kudu4j.benchmarks.options.Directories;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;

/** Empty files with the paths and times of some rows, which {@code find} searches. */
final class FileTree implements AutoCloseable {
  private final Path root;

  private FileTree(Path root) {
    this.root = root;
  }

  /** Creates the files below a directory that does not exist; {@link #close} deletes it. */
  static FileTree create(Path root, FileRows rows) throws IOException {
    FileTree tree = new FileTree(root);
    try {
      for (long file = 0; file < rows.rowCount(); file++) {
        Path path = root.resolve(rows.path(file));
        if (Files.notExists(path.getParent())) {
          Files.createDirectories(path.getParent());
        }
        Files.createFile(path);
        Files.setLastModifiedTime(
            path, FileTime.from(rows.modifiedSeconds(file), TimeUnit.SECONDS));
      }
    } catch (IOException | RuntimeException e) {
      tree.close();
      throw e;
    }
    return tree;
  }

  /** Runs {@code find} and returns the number of files that were modified in the last minute. */
  long find() throws IOException, InterruptedException {
    long since = FileRows.NOW_SECONDS - FileRows.MINUTE_SECONDS;
    Process process =
        new ProcessBuilder("find", root.toString(), "-type", "f", "-newermt", "@" + since)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    long found;
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      found = lines.lines().count();
    }
    if (process.waitFor() != 0) {
      throw new IOException("find ended with exit code " + process.exitValue());
    }
    return found;
  }

  @Override
  public void close() throws IOException {
    Directories.delete(root);
  }
}
