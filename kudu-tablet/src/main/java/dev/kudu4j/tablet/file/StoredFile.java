package dev.kudu4j.tablet.file;

import dev.kudu4j.tablet.env.TabletEnvironment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A data file of a rowset, open for reading from any number of threads. {@link #retain} and {@link
 * #release} count references; the last release closes the file and frees its off-heap memory.
 *
 * <p>The owner of a reader or a cursor holds a reference to the file until it has closed the
 * reader, because readers use the file and its allocator.
 */
public abstract class StoredFile {
  private final Opened opened;
  private final AtomicInteger references = new AtomicInteger(1);
  private volatile Runnable afterLastRelease = () -> {};

  /** The creator holds the first reference. */
  protected StoredFile(Opened opened) {
    this.opened = opened;
  }

  /**
   * A file with a valid header and trailer, and the memory of its readers.
   *
   * @param allocator used by this file alone
   */
  public record Opened(Path path, SealedFile file, BufferAllocator allocator) {}

  /** Reads the footer. The caller closes the file if this throws. */
  @FunctionalInterface
  protected interface Opener<F extends StoredFile> {
    F open(Opened opened) throws IOException;
  }

  /**
   * Opens the file, validates its header and trailer, and calls the opener, which reads the footer.
   *
   * @param pool the name of the allocator of the readers' memory
   * @throws dev.kudu4j.common.status.KuduException CORRUPTION for a damaged file, NOT_SUPPORTED for
   *     a different format version
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

  /** The underlying file, for checks and dumps. */
  public final SealedFile sealedFile() {
    return opened.file();
  }

  /** The allocator of the file's readers. */
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
   * Sets an action that runs after the last release has closed the file. It never runs during this
   * call, because the caller holds a reference. Set at most once.
   */
  public final void afterLastRelease(Runnable action) {
    afterLastRelease = action;
  }

  private void close() {
    closeReaders();
    try {
      opened.file().close();
    } catch (IOException e) {
      throw new UncheckedIOException("Failed to close " + file(), e);
    } finally {
      opened.allocator().close();
    }
  }

  /** Closes idle readers. Called when no reader is active. */
  protected void closeReaders() {}
}
