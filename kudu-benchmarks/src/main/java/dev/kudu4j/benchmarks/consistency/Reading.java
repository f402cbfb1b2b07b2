package dev.kudu4j.benchmarks.consistency;

import java.io.IOException;

/** How readers read, and what they found. Thread-safe. */
final class Reading {
  /** One session's reads, one after the other. */
  interface Session extends AutoCloseable {
    Sums read() throws Exception;

    @Override
    void close() throws IOException;
  }

  /** Opens a session with a client of its own. */
  interface Opener {
    Session open() throws Exception;
  }

  private final String title;
  private final int readers;
  private final Opener opener;
  private long reads;
  private long nonZero;
  private long wentBack;
  private long failed;
  private String example = "";

  Reading(String title, int readers, Opener opener) {
    this.title = title;
    this.readers = readers;
    this.opener = opener;
  }

  String title() {
    return title;
  }

  int readers() {
    return readers;
  }

  Session open() throws Exception {
    return opener.open();
  }

  /** Judges a read by the previous one of the same session. */
  synchronized void found(Sums before, Sums now) {
    reads++;
    if (!now.isZero()) {
      nonZero++;
      example = example.isEmpty() ? now.toString() : example;
    }
    if (now.isOlderThan(before)) {
      wentBack++;
      example = example.isEmpty() ? now + " after " + before : example;
    }
  }

  synchronized void failed() {
    failed++;
  }

  synchronized long reads() {
    return reads;
  }

  synchronized long nonZero() {
    return nonZero;
  }

  synchronized long wentBack() {
    return wentBack;
  }

  synchronized long failures() {
    return failed;
  }

  /** The first sums that should not have been seen; empty if there are none. */
  synchronized String example() {
    return example;
  }
}
