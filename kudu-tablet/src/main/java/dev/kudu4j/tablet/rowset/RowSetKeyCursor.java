package dev.kudu4j.tablet.rowset;

import java.io.IOException;

/** Reads encoded keys by ordinal, in ascending order. Not thread-safe. */
public interface RowSetKeyCursor extends AutoCloseable {
  /** Moves to the row with the ordinal. */
  void seek(long ordinal) throws IOException;

  /** Moves to the next row; false after the last. */
  boolean next() throws IOException;

  long ordinal();

  /** The current key's bytes; valid until the cursor moves. */
  byte[] keyArray();

  int keyLength();

  @Override
  void close();
}
