package dev.kudu4j.tablet.check;

import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.transaction.StagedFile;
import java.io.IOException;
import java.nio.file.Path;

/** Prints what a file of staged rows has. */
public final class StagedFileDump {
  private StagedFileDump() {}

  /** Prints one line for each request: its transaction, its rows, and how many were staged. */
  public static void print(TabletEnvironment environment, Path path, Appendable out)
      throws IOException {
    StagedFile file = StagedFile.open(environment.uncached(), path);
    try {
      file.print(out);
    } finally {
      file.release();
    }
  }
}
