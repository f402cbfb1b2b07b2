package dev.kudu4j.benchmarks.cluster;

/** A cluster that is measured. */
public interface TargetCluster extends AutoCloseable {
  /** What a client is given. */
  String masterAddresses();

  /** Processor time of all servers so far; NaN when they cannot be watched. */
  double cpuNanos();

  /**
   * Returns when the tablet servers' rows are on disk, or at once when that cannot be asked for.
   */
  void flush();

  /**
   * Returns when the servers have stopped working for themselves (flushing, compacting), or at once
   * when they cannot be watched.
   */
  void awaitIdle();

  /** What the tablet servers' rows take on disk, as they tell themselves; NaN when not known. */
  double dataBytes();

  /** What the tablet servers' data files take on disk; NaN when not known. */
  double fileBytes();

  @Override
  void close();
}
