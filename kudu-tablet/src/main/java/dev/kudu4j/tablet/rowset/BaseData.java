package dev.kudu4j.tablet.rowset;

import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.env.TabletEnvironment;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The base data of one rowset, open for reading from any number of threads. Counts its users:
 * {@link #retain} and {@link #release}; the last release closes the file and frees what is cached
 * off heap.
 */
public final class BaseData {
  /**
   * Opens the file, checks header and footer, and loads indexes. The caller holds the first
   * reference.
   */
  public static BaseData open(TabletEnvironment environment, Path file) throws IOException {
    throw new UnsupportedOperationException("stub");
  }

  public Path file() {
    throw new UnsupportedOperationException("stub");
  }

  public long fileBytes() {
    throw new UnsupportedOperationException("stub");
  }

  public long rowCount() {
    throw new UnsupportedOperationException("stub");
  }

  public byte[] minKey() {
    throw new UnsupportedOperationException("stub");
  }

  public byte[] maxKey() {
    throw new UnsupportedOperationException("stub");
  }

  public long minInsertTimestamp() {
    throw new UnsupportedOperationException("stub");
  }

  public long maxInsertTimestamp() {
    throw new UnsupportedOperationException("stub");
  }

  /** Whether the file holds the column. */
  public boolean hasColumn(int columnId) {
    throw new UnsupportedOperationException("stub");
  }

  /** A reader of the column; the caller closes it. */
  public ColumnReader openColumn(int columnId) {
    throw new UnsupportedOperationException("stub");
  }

  /** Reads insert timestamps of {@code [firstOrdinal, firstOrdinal + count)}. */
  public void readInsertTimestamps(long firstOrdinal, int count, long[] out) throws IOException {
    throw new UnsupportedOperationException("stub");
  }

  /** The ordinal of the key, or -1 when it is not here. Bloom filter first, then the key index. */
  public long find(byte[] key, int offset, int length) throws IOException {
    throw new UnsupportedOperationException("stub");
  }

  /**
   * The ordinal of the first key that is not below the given one; {@link #rowCount} when there is
   * none.
   */
  public long lowerBound(byte[] key, int offset, int length) throws IOException {
    throw new UnsupportedOperationException("stub");
  }

  /** A cursor over the encoded keys, for ordered scans; the caller closes it. */
  public KeyCursor openKeys() {
    throw new UnsupportedOperationException("stub");
  }

  public void retain() {
    throw new UnsupportedOperationException("stub");
  }

  public void release() {
    throw new UnsupportedOperationException("stub");
  }
}
