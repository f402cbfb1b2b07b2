package dev.kudu4j.tablet.delta;

import dev.kudu4j.tablet.env.TabletEnvironment;
import java.io.IOException;
import java.nio.file.Path;

/** Writes a delta file: changes in ascending (ordinal, timestamp, sequence). */
public final class DeltaFileWriter implements AutoCloseable {
  /** Whether the changes lead forwards from the base data or backwards. */
  public enum Kind {
    REDO,
    UNDO
  }

  public DeltaFileWriter(TabletEnvironment environment, Path file, Kind kind) throws IOException {
    throw new UnsupportedOperationException("stub");
  }

  /** Appends a change ({@link RowChange} bytes in raw memory). */
  public void append(
      long ordinal, long timestamp, int sequence, long changeAddress, int changeLength)
      throws IOException {
    throw new UnsupportedOperationException("stub");
  }

  public long count() {
    throw new UnsupportedOperationException("stub");
  }

  /** Writes index and footer, syncs, and closes the file. */
  public void finish() throws IOException {
    throw new UnsupportedOperationException("stub");
  }

  @Override
  public void close() throws IOException {
    throw new UnsupportedOperationException("stub");
  }
}
