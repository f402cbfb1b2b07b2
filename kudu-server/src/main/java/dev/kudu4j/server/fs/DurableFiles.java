package dev.kudu4j.server.fs;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/**
 * Writes small text files atomically: after a crash, a file has either its complete old or its
 * complete new content.
 */
final class DurableFiles {
  private DurableFiles() {}

  /** Writes a temporary file, syncs it, renames it, and syncs the directory. */
  static void write(Path file, String text) throws IOException {
    Path temporaryFile = file.resolveSibling(file.getFileName() + ".new");
    try (FileChannel channel =
        FileChannel.open(
            temporaryFile,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      channel.write(StandardCharsets.UTF_8.encode(text));
      channel.force(true);
    }
    try {
      Files.move(temporaryFile, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(temporaryFile, file, StandardCopyOption.REPLACE_EXISTING);
    }
    syncDirectory(Objects.requireNonNull(file.getParent(), "the file is in a directory"));
  }

  static void syncDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
