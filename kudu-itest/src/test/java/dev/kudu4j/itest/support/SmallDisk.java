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
 * A disk of little space for one server, that can be filled up: a file system in memory, mounted at
 * a directory, and a file of ballast in it. It outlives the server's process.
 *
 * <p>It takes the right to mount: root, or a user within {@code unshare}, as for {@link Network}.
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

  /** Why there can be no disk of this kind here, in words for a log; empty when there can. */
  @SuppressWarnings("try") // mounting the disk is the trial
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

  /** Leaves no byte free. */
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
      // No room for a block of this size.
    }
  }

  /** Gives the space back. */
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
      // The hook runs already.
    }
  }
}
