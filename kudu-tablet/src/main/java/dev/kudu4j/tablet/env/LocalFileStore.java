package dev.kudu4j.tablet.env;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.thread.WouldBlock;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Files of the operating system, accessed through {@link FileChannel}. Thread-safe.
 *
 * <p>If a thread is interrupted while it reads, the JDK closes the channel for all threads. A
 * reader of this store then reopens the file, continues, and keeps the interrupt status, so a
 * cancelled scan does not close the file for other scans.
 *
 * <p>Operations that may wait for the disk throw {@link WouldBlock} in work that must not block.
 */
public final class LocalFileStore implements FileStore {
  private static final String ASIDE = ".tmp";

  private final AtomicInteger openFiles = new AtomicInteger();

  /** The number of open files. */
  public int openFiles() {
    return openFiles.get();
  }

  @Override
  public WritableFile create(Path path) throws IOException {
    WouldBlock.check("creating a file");
    createParents(path);
    FileChannel channel =
        FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    openFiles.incrementAndGet();
    return new LocalWritableFile(path, channel);
  }

  /**
   * Creates missing parent directories and makes their entries durable immediately. Afterwards, the
   * caller must sync only the direct parent of the new file.
   */
  private void createParents(Path path) throws IOException {
    Path parent = path.toAbsolutePath().getParent();
    if (parent == null || Files.isDirectory(parent)) {
      return;
    }
    createParents(parent);
    Files.createDirectories(parent);
    Path above = parent.getParent();
    if (above != null) {
      syncDirectory(above);
    }
  }

  @Override
  public ReadableFile open(Path path) throws IOException {
    WouldBlock.check("opening a file");
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
    openFiles.incrementAndGet();
    return new LocalReadableFile(path, channel);
  }

  @Override
  public void replace(Path path, byte[] content) throws IOException {
    WouldBlock.check("writing a file");
    Path aside = path.resolveSibling(path.getFileName() + ASIDE);
    Files.deleteIfExists(aside);
    try (WritableFile file = create(aside)) {
      file.append(content, 0, content.length);
      file.sync();
    }
    Files.move(aside, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    Path directory = path.toAbsolutePath().getParent();
    assert directory != null : "a file has a directory";
    syncDirectory(directory);
  }

  @Override
  public byte[] readAll(Path path) throws IOException {
    WouldBlock.check("reading a file");
    return Files.readAllBytes(path);
  }

  @Override
  public boolean exists(Path path) {
    return Files.exists(path);
  }

  @Override
  public List<String> list(Path directory) throws IOException {
    List<String> names = new ArrayList<>();
    try (Stream<Path> entries = Files.list(directory)) {
      entries.forEach(entry -> names.add(entry.getFileName().toString()));
    } catch (NoSuchFileException e) {
      return List.of();
    }
    names.sort(null);
    return names;
  }

  @Override
  public void delete(Path path) throws IOException {
    Files.delete(path);
  }

  @Override
  public void deleteTree(Path directory) throws IOException {
    if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree( // removes a symbolic link, not its target
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  @Override
  public void syncDirectory(Path directory) throws IOException {
    WouldBlock.check("syncing a directory");
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      throw new IOException("Failed to sync directory " + directory + ": " + e.getMessage(), e);
    }
  }

  private final class LocalWritableFile implements WritableFile {
    private final Path path;
    private final FileChannel channel;
    private long position;
    private boolean closed;

    LocalWritableFile(Path path, FileChannel channel) {
      this.path = path;
      this.channel = channel;
    }

    @Override
    public void append(long address, int bytes) throws IOException {
      append(Memory.byteBuffer(address, bytes));
    }

    @Override
    public void append(byte[] bytes, int offset, int length) throws IOException {
      append(ByteBuffer.wrap(bytes, offset, length));
    }

    private void append(ByteBuffer bytes) throws IOException {
      int length = bytes.remaining();
      try {
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
      } catch (IOException e) {
        throw new IOException(
            "Failed to write %d bytes at %d of %s: %s"
                .formatted(length, position, path, e.getMessage()),
            e);
      }
      position += length;
    }

    @Override
    public long position() {
      return position;
    }

    @Override
    public void sync() throws IOException {
      WouldBlock.check("syncing a file");
      try {
        channel.force(true);
      } catch (IOException e) {
        throw new IOException("Failed to sync " + path + ": " + e.getMessage(), e);
      }
    }

    @Override
    public void close() throws IOException {
      if (!closed) {
        closed = true;
        openFiles.decrementAndGet();
        channel.close();
      }
    }
  }

  private final class LocalReadableFile implements ReadableFile {
    private final Path path;
    private final String name;
    private volatile FileChannel channel; // replaced by reopen() after an interrupt closed it
    private volatile boolean closed;

    LocalReadableFile(Path path, FileChannel channel) {
      this.path = path;
      this.name = path.toString();
      this.channel = channel;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public void readFully(long position, long address, int bytes) throws IOException {
      WouldBlock.check("reading a file");
      boolean interrupted = false;
      try {
        while (true) {
          FileChannel current = channel;
          try {
            readFully(current, position, Memory.byteBuffer(address, bytes));
            return;
          } catch (ClosedByInterruptException e) {
            interrupted |= Thread.interrupted();
            reopen(current, e);
          } catch (ClosedChannelException e) {
            reopen(current, e);
          }
        }
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }

    private void readFully(FileChannel from, long position, ByteBuffer to) throws IOException {
      try {
        while (to.hasRemaining()) {
          if (from.read(to, position + to.position()) < 0) {
            throw new EOFException(
                "%s ends at offset %d, but %d bytes were expected at offset %d"
                    .formatted(name, from.size(), to.capacity(), position));
          }
        }
      } catch (ClosedChannelException | EOFException e) {
        throw e;
      } catch (IOException e) {
        throw new IOException(
            "Failed to read %d bytes at %d of %s: %s"
                .formatted(to.capacity(), position, name, e.getMessage()),
            e);
      }
    }

    private synchronized void reopen(FileChannel broken, ClosedChannelException cause)
        throws IOException {
      if (closed) {
        throw new IOException(name + " is closed", cause);
      }
      if (channel == broken) {
        channel = FileChannel.open(path, StandardOpenOption.READ);
      }
    }

    @Override
    public synchronized void close() throws IOException {
      if (!closed) {
        closed = true;
        openFiles.decrementAndGet();
        channel.close();
      }
    }
  }
}
