package dev.kudu4j.tablet.env;

import java.io.IOException;

/** A file being written sequentially by one thread. */
public interface WritableFile extends AutoCloseable {
  /** Appends {@code bytes} bytes of raw memory. */
  void append(long address, int bytes) throws IOException;

  void append(byte[] bytes, int offset, int length) throws IOException;

  /** The number of bytes appended so far. */
  long position();

  /** Makes all bytes appended so far durable. */
  void sync() throws IOException;

  @Override
  void close() throws IOException;
}
