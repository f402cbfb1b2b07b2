package dev.kudu4j.itest.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * A small disk for one server, that can be filled: a file system in memory, mounted at a directory,
 * and a ballast file in it. It outlives the server's process.
 *
 * <p>Needs the right to mount: root, or a user within {@code unshare}, as for {@link Network}.
 */
public final class SmallDisk implements AutoCloseable {
  private static final int MEGABYTES = 192;
  private static final int BLOCK_BYTES = 64 << 10;

  private final Path directory;
  private final Path ballast;
  private final Thread unmountAtExit = new Thread(this::unmount);

  private SmallDisk(Path directory) {
    this.directory = directory;
    this.ballast = directory.resolve("ballast");
  }

  /** The reason why this machine cannot have such a disk, for the log; empty if it can. */
  @SuppressWarnings("try") // tries to mount the disk
  public static Optional<String> trouble() {
    try {
      Path trial = Files.createTempDirectory("small-disk");
      try (SmallDisk disk = mount(trial)) {
        return Optional.empty();
      } catch (AssertionError e) {
        return Optional.of(e.getMessage());
      } finally {
        Files.delete(trial);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static SmallDisk mount(Path directory) {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Shell.run(
        "mount", "-t", "tmpfs", "-o", "size=" + MEGABYTES + "m", "kudu4j", directory.toString());
    SmallDisk disk = new SmallDisk(directory);
    Runtime.getRuntime().addShutdownHook(disk.unmountAtExit);
    return disk;
  }

  /** Fills the disk completely. */
  public void fill() {
    try (FileChannel file =
        FileChannel.open(ballast, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      for (int size = BLOCK_BYTES; size > 0; size /= 4) {
        fill(file, ByteBuffer.allocate(size));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void fill(FileChannel file, ByteBuffer block) {
    try {
      while (true) {
        file.write(block.clear());
      }
    } catch (IOException full) {
      // There is no space for a block of this size.
    }
  }

  /** Frees the space. */
  public void free() {
    try {
      Files.deleteIfExists(ballast);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void unmount() {
    Shell.complaint("umount", "--lazy", directory.toString());
  }

  @Override
  public void close() {
    unmount();
    try {
      Runtime.getRuntime().removeShutdownHook(unmountAtExit);
    } catch (IllegalStateException shuttingDown) {
      // The JVM is already shutting down.
    }
  }
}
