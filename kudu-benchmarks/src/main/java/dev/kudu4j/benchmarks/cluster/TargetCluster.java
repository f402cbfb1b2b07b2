package dev.kudu4j.benchmarks.cluster;

/** A measured cluster. */
public interface TargetCluster extends AutoCloseable {
  /** The masters' addresses, for clients. */
  String masterAddresses();

  /** CPU time of all servers so far; NaN if unknown. */
  double cpuNanos();

  /** CPU time of the tablet servers' threads that answer requests. */
  ThreadTimes requestThreads();

  /**
   * Flushes the tablet servers' rows to disk and waits for the end of the flushes; returns
   * immediately if the cluster cannot be flushed.
   */
  void flush();

  /**
   * Waits until the servers have no background work (flushes, compactions); returns immediately if
   * this cannot be observed.
   */
  void awaitIdle();

  /** Bytes of the tablet servers' rows on disk, as the servers report them; NaN if unknown. */
  double dataBytes();

  /** Bytes of the tablet servers' data files on disk; NaN if unknown. */
  double fileBytes();

  @Override
  void close();
}
