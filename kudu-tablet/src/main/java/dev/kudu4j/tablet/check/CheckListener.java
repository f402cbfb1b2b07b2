package dev.kudu4j.tablet.check;

import java.nio.file.Path;

/** Observes the progress of a check. */
@FunctionalInterface
public interface CheckListener {
  /** Ignores all events. */
  CheckListener NONE = (file, bytes) -> {};

  /** Called when a file has been read completely. */
  void checked(Path file, long bytes);
}
