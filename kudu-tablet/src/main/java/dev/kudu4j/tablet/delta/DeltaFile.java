package dev.kudu4j.tablet.delta;

import dev.kudu4j.tablet.env.TabletEnvironment;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A delta file open for reading from any number of threads. Counts its users: {@link #retain} and
 * {@link #release}.
 */
public final class DeltaFile {
  /** Opens the file, checks header and footer. The caller holds the first reference. */
  public static DeltaFile open(TabletEnvironment environment, Path file) throws IOException {
    throw new UnsupportedOperationException("stub");
  }

  public Path file() {
    throw new UnsupportedOperationException("stub");
  }

  public long fileBytes() {
    throw new UnsupportedOperationException("stub");
  }

  public DeltaFileWriter.Kind kind() {
    throw new UnsupportedOperationException("stub");
  }

  public long count() {
    throw new UnsupportedOperationException("stub");
  }

  /** Changes that delete or reinsert: when 0, liveness needs no look at this file. */
  public long livenessChangeCount() {
    throw new UnsupportedOperationException("stub");
  }

  public long minTimestamp() {
    throw new UnsupportedOperationException("stub");
  }

  public long maxTimestamp() {
    throw new UnsupportedOperationException("stub");
  }

  /** A cursor before the first change; the caller closes it. */
  public Cursor openCursor() {
    throw new UnsupportedOperationException("stub");
  }

  public void retain() {
    throw new UnsupportedOperationException("stub");
  }

  public void release() {
    throw new UnsupportedOperationException("stub");
  }

  /** Walks changes in file order. Not thread-safe. */
  public interface Cursor extends AutoCloseable {
    /** Moves before the first change of a row at or above the ordinal. */
    void seek(long ordinal) throws IOException;

    boolean next() throws IOException;

    long ordinal();

    long timestamp();

    int sequence();

    /** The {@link RowChange} bytes; valid until the cursor moves. */
    long changeAddress();

    int changeLength();

    @Override
    void close();
  }
}
