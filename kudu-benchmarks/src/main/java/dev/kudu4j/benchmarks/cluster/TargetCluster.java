package dev.kudu4j.benchmarks.cluster;

/** A measured cluster. */
public interface TargetCluster extends AutoCloseable {
  /** The masters' addresses, for clients. */
  String masterAddresses();

  /** CPU time of all servers so far; NaN if unknown. */
  double cpuNanos();

  /**
   * Flushes the tablet servers' rows to disk and waits for it; returns at once if that is not
   * possible.
   */
  void flush();

  /**
   * Waits until the servers have no background work (flushes, compactions); returns at once if that
   * is not observable.
   */
  void awaitIdle();

  /** Bytes of the tablet servers' rows on disk, as the servers report them; NaN if unknown. */
  double dataBytes();

  /** Bytes of the tablet servers' data files on disk; NaN if unknown. */
  double fileBytes();

  @Override
  void close();
}
