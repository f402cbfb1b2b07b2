package dev.kudu4j.benchmarks.cluster;

/**
 * A cluster that somebody else runs, here or elsewhere. It is neither flushed nor waited for, and
 * what its servers use is not known.
 */
record GivenCluster(String masterAddresses) implements TargetCluster {
  @Override
  public double cpuNanos() {
    return Double.NaN;
  }

  @Override
  public void flush() {
    // Not ours to flush.
  }

  @Override
  public void awaitIdle() {
    // Not to be seen.
  }

  @Override
  public double dataBytes() {
    return Double.NaN;
  }

  @Override
  public double fileBytes() {
    return Double.NaN;
  }

  @Override
  public void close() {
    // Nothing was opened.
  }
}
