package dev.kudu4j.benchmarks.workload;

/** The compression that is requested for all columns. */
public enum Compression {
  /** The server's default. */
  SERVER,
  LZ4
}
