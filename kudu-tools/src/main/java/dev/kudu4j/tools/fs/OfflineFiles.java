package dev.kudu4j.tools.fs;

import dev.kudu4j.tablet.env.CrashPoints;
import dev.kudu4j.tablet.env.LocalFileStore;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.env.TabletOptions;
import dev.kudu4j.tablet.memory.Allocators;
import java.nio.file.Path;
import java.util.random.RandomGenerator;
import org.apache.arrow.memory.BufferAllocator;

/** Provides the environment that the engine's readers need, without a server. */
final class OfflineFiles implements AutoCloseable {
  private final LocalFileStore files = new LocalFileStore();
  private final BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);

  /** The environment for reading the tablet in this directory. */
  TabletEnvironment environment(Path directory) {
    return new TabletEnvironment(
        files,
        directory,
        allocator,
        CrashPoints.NONE,
        RandomGenerator.getDefault(),
        System::nanoTime,
        TabletOptions.DEFAULT);
  }

  @Override
  public void close() {
    allocator.close();
  }
}
