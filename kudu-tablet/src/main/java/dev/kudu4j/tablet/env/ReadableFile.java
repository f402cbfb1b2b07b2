package dev.kudu4j.tablet.env;

import java.io.IOException;

/** A complete file, read by position from any number of threads. */
public interface ReadableFile extends AutoCloseable {
  /** The name of the file, for messages. */
  String name();

  long size() throws IOException;

  /**
   * Reads exactly {@code bytes} bytes into raw memory.
   *
   * @throws IOException on failure, and if the file is too short
   */
  void readFully(long position, long address, int bytes) throws IOException;

  @Override
  void close() throws IOException;
}
