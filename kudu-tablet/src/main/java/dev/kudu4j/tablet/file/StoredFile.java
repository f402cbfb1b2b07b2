package dev.kudu4j.tablet.file;

import dev.kudu4j.tablet.env.TabletEnvironment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A data file of a rowset, open for reading from any number of threads. Counts its users: {@link
 * #retain} and {@link #release}; the last release closes the file and frees what it has off heap.
 *
 * <p>Whoever opens a reader or a cursor holds a reference until it has closed it: they read through
 * this object's file and count on its allocator.
 */
public abstract class StoredFile {
  private final Opened opened;
  private final AtomicInteger references = new AtomicInteger(1);
  private volatile Runnable afterLastRelease = () -> {};

  /** Whoever makes it holds the first reference. */
  protected StoredFile(Opened opened) {
    this.opened = opened;
  }

  /**
   * A file whose header and trailer are right, and the memory of those who read it.
   *
   * @param allocator of this file alone
   */
  public record Opened(Path path, SealedFile file, BufferAllocator allocator) {}

  /** Reads the footer; what it throws closes the file. */
  @FunctionalInterface
  protected interface Opener<F extends StoredFile> {
    F open(Opened opened) throws IOException;
  }

  /**
   * Opens the file, checks header and trailer, and lets the opener read the footer.
   *
   * @param pool name of the memory that its readers take
   * @throws dev.kudu4j.common.status.KuduException CORRUPTION for a broken file, NOT_SUPPORTED for
   *     one of another version
   */
  protected static <F extends StoredFile> F open(
      TabletEnvironment environment, Path path, FileKind kind, String pool, Opener<F> opener)
      throws IOException {
    BufferAllocator allocator = environment.allocator().newChildAllocator(pool, 0, Long.MAX_VALUE);
    SealedFile file = null;
    try {
      file = SealedFile.open(environment, allocator, path, kind);
      return opener.open(new Opened(path, file, allocator));
    } catch (Throwable e) {
      if (file != null) {
        file.close();
      }
      allocator.close();
      throw e;
    }
  }

  public final Path file() {
    return opened.path();
  }

  public final long fileBytes() {
    return opened.file().fileBytes();
  }

  /** The file below: for checks and dumps. */
  public final SealedFile sealedFile() {
    return opened.file();
  }

  /** Memory of those who read the file. */
  protected final BufferAllocator allocator() {
    return opened.allocator();
  }

  public final void retain() {
    int before = references.getAndUpdate(count -> count > 0 ? count + 1 : count);
    if (before <= 0) {
      throw new IllegalStateException("File used after its last release: " + file());
    }
  }

  public final void release() {
    int left = references.decrementAndGet();
    if (left < 0) {
      throw new IllegalStateException("File released too often: " + file());
    }
    if (left == 0) {
      close();
      afterLastRelease.run();
    }
  }

  /**
   * Runs the action when the last user has released the file and it is closed; at once is never,
   * since the caller is a user. Set at most once.
   */
  public final void afterLastRelease(Runnable action) {
    afterLastRelease = action;
  }

  private void close() {
    closeReaders();
    try {
      opened.file().close();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot close " + file(), e);
    } finally {
      opened.allocator().close();
    }
  }

  /** Closes readers that wait for their next use; nobody reads any more. */
  protected void closeReaders() {}
}
