package dev.kudu4j.benchmarks.workload;

/** What is asked of the servers for all columns. */
public enum Compression {
  /** What the server does when nothing is asked. */
  SERVER,
  LZ4
}
