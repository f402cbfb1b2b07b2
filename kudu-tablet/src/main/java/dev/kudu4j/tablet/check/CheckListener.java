package dev.kudu4j.tablet.check;

import java.nio.file.Path;

/** Is told how far a check has come. */
@FunctionalInterface
public interface CheckListener {
  /** For those who wait in silence. */
  CheckListener NONE = (file, bytes) -> {};

  /** A file has been read to its end. */
  void checked(Path file, long bytes);
}
