package dev.kudu4j.tablet.env;

import java.io.IOException;

/** A file being written, from front to back, by one thread. */
public interface WritableFile extends AutoCloseable {
  /** Appends {@code bytes} bytes of raw memory. */
  void append(long address, int bytes) throws IOException;

  void append(byte[] bytes, int offset, int length) throws IOException;

  /** Bytes appended so far. */
  long position();

  /** Everything appended so far is durable when this returns. */
  void sync() throws IOException;

  @Override
  void close() throws IOException;
}
