package dev.kudu4j.tablet.env;

import dev.kudu4j.tablet.cache.PageCache;
import dev.kudu4j.tablet.memory.Allocators;
import java.nio.file.Path;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;

/**
 * An environment over a {@link SimulatedFileStore}. Closing checks that no memory and no file is
 * held.
 */
public final class StorageHarness implements AutoCloseable {
  public static final Path DIRECTORY = Path.of("/tablet");

  private final SimulatedFileStore files = new SimulatedFileStore();
  private final BufferAllocator allocator = Allocators.root(1L << 30);
  private final PageCache pages = new PageCache(allocator, 1 << 20);
  private final TabletEnvironment environment;

  public StorageHarness() {
    this(TabletOptions.DEFAULT);
  }

  public StorageHarness(TabletOptions options) {
    environment =
        new TabletEnvironment(
            files, DIRECTORY, allocator, pages, CrashPoints.NONE, new Random(42), () -> 0, options);
  }

  /** Options with pages of that size. */
  public static TabletOptions pages(int pageBytes) {
    TabletOptions d = TabletOptions.DEFAULT;
    return new TabletOptions(
        pageBytes,
        d.rowSetBytes(),
        d.batchRows(),
        d.arenaChunkBytes(),
        d.maxCellBytes(),
        d.maxKeyBytes());
  }

  public SimulatedFileStore files() {
    return files;
  }

  public BufferAllocator allocator() {
    return allocator;
  }

  public TabletEnvironment environment() {
    return environment;
  }

  public Path path(String name) {
    return DIRECTORY.resolve(name);
  }

  @Override
  public void close() {
    if (files.openFiles() != 0) {
      throw new AssertionError(files.openFiles() + " files are still open");
    }
    pages.close();
    allocator.close();
  }
}
